import type { Command } from 'commander';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { foldedAbsences, type Inbox, inboxOf } from '../../text/inbox.ts';
import { numberIn, recordsIn, textIn } from '../../transcript/message.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { CliOutcome, EXIT } from '../exit-codes.ts';
import { withJson } from '../print/answer.ts';
import { formatInbox, type Summary, summaryOf } from '../print/format-waiting.ts';
import type { Terminal } from '../terminal.ts';
import { headLines, pauseIdOf, taskCounts } from './waiting-head.ts';

export function addWaiting(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('waiting')
      .description('List the tasks that wait for you in all your sessions, each with its command.'),
  )
    .option('--exit-code', `exit with ${EXIT.DUE} when something waits, else with ${EXIT.OK}`)
    .addHelpText(
      'after',
      '\nExamples:\n  parley waiting\n  parley waiting --exit-code > /dev/null || notify-send "Parley"',
    );
  command.action(async ({ exitCode, json }: { exitCode?: boolean; json?: boolean }) => {
    const inbox = await readInbox(await connectOwner(terminal));
    const sessions = [...inbox.open, ...inbox.absent, ...inbox.parked];
    const { tasks: waiting, blocking } = taskCounts(inbox);
    const absent = sessions.flatMap(foldedAbsences).length;
    if (json) terminal.out(JSON.stringify({ waiting, blocking, absent, parked: inbox.parked.length, sessions }));
    else for (const line of inboxLines(inbox, terminal)) terminal.out(line);
    if (exitCode && waiting > 0) throw new CliOutcome(EXIT.DUE);
  });
}

const PAGE = 100;

/**
 * Reads every page of the inbox. Requests the first page again while its `unread` is above 0, because after an upgrade
 * the service must first read all sessions.
 */
async function readInbox(client: OwnerClient): Promise<Inbox<Summary>> {
  const pageAfter = (after?: string) =>
    client.call(OWNER_ROUTES.inbox, { input: { limit: PAGE, said: 'whole', ...(after && { after }) } });
  let page = await pageAfter();
  while (numberIn(page, 'unread') > 0) page = await pageAfter();
  const sessions = recordsIn(page, 'sessions');
  for (let after = textIn(page, 'next_after'); after; after = textIn(page, 'next_after')) {
    page = await pageAfter(after);
    sessions.push(...recordsIn(page, 'sessions'));
  }
  return inboxOf(sessions.map(summaryOf));
}

/** The sessions paused by `pause --all` are only in the first lines, which have the command that resumes them. */
function inboxLines(inbox: Inbox<Summary>, terminal: Terminal): string[] {
  const looking = { terminal, nowMs: Date.now() };
  const parked = inbox.parked.filter((session) => pauseIdOf(session) === '');
  const lines = formatInbox({ ...inbox, parked }, looking);
  return [...headLines(inbox, looking), ...(lines.length > 0 ? ['', ...lines] : [])];
}
