import type { Command } from 'commander';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import type { Json } from '../client/request.ts';
import { CliOutcome, EXIT } from '../exit-codes.ts';
import { settlingLine } from '../flags/command-line.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import { formatWaiting } from '../print/format-waiting.ts';
import type { Terminal } from '../terminal.ts';

const PAGE = 100;

/** Adds `parley waiting`, which lists all tasks that wait for the owner, in all sessions. */
export function addWaiting(program: Command, terminal: Terminal): void {
  const command = withJson(
    program.command('waiting').description('List what waits for you in all your sessions, each with its command.'),
  )
    .option('--exit-code', `exit with ${EXIT.DUE} when something waits, else with ${EXIT.OK}`)
    .addHelpText(
      'after',
      '\nExamples:\n  parley waiting\n  parley waiting --exit-code > /dev/null || notify-send "Parley"',
    );
  command.action(async ({ exitCode }: { exitCode?: boolean }) => {
    const sessions = await waitingSessions(await connectOwner(terminal));
    const waiting = sessions.flatMap((session) => recordsIn(session, 'waits'));
    const blocking = waiting.filter((wait) => wait.blocking === true).length;
    const leftOut = sessions.reduce((sum, session) => sum + numberIn(membersOf(session.left_out), 'count'), 0);
    const answer = { waiting: waiting.length + leftOut, blocking, sessions };
    printAnswer(terminal, command, answer, () => waitingLines(sessions, terminal));
    if (exitCode && waiting.length > 0) throw new CliOutcome(EXIT.DUE);
  });
}

/** The sessions in which a task waits for the owner, newest first. */
async function waitingSessions(client: OwnerClient): Promise<readonly Json[]> {
  const found: Json[] = [];
  for (let after = ''; ; ) {
    const input = { limit: PAGE, ...(after ? { after } : {}) };
    const page = await client.call(OWNER_ROUTES.overview, { input });
    found.push(...recordsIn(page, 'sessions').filter((session) => recordsIn(session, 'waits').length > 0));
    after = textIn(page, 'next_after');
    if (!after) return found;
  }
}

function waitingLines(sessions: readonly Json[], terminal: Terminal): string[] {
  if (sessions.length === 0) return ['Nothing waits for you.'];
  return formatWaiting(
    sessions,
    (session, wait) =>
      settlingLine(terminal.program, {
        operation: textIn(wait, 'operation'),
        sessionId: textIn(session, 'session_id'),
        payload: membersOf(wait.payload),
      }),
    terminal,
  );
}
