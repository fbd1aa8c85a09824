import type { Command } from 'commander';
import type { JsonRoute } from '../../server/api/owner-route.ts';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { tableLines } from '../../text/table.ts';
import { recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import { allSessions } from '../client/all-sessions.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import type { Json } from '../client/request.ts';
import { CliError, CliOutcome, EXIT } from '../exit-codes.ts';
import { printAnswer } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';

type AtOnce = 'pause' | 'resume';

const ROUTES: Readonly<Record<AtOnce, JsonRoute>> = { pause: OWNER_ROUTES.pauseAll, resume: OWNER_ROUTES.resumeAll };
const DONE = { pause: 'paused', resume: 'resumed' } as const;

interface Written {
  readonly operation: AtOnce;
  readonly input: Json;
}

/** Whether an operation accepts `--all` in place of a session, as `parley pause --all` does. */
export const isForAll = (operation: string): operation is AtOnce => Object.hasOwn(ROUTES, operation);

/** Adds `--all`, and for `resume` also `--pause-id`. All other flags become optional. */
export function addAllFlags(command: Command, operation: AtOnce): void {
  for (const option of command.options) option.makeOptionMandatory(false);
  command.option(
    '--all',
    operation === 'pause'
      ? 'pause every active session'
      : 'resume the sessions that the last `parley pause --all` paused',
  );
  if (operation === 'resume')
    command.option(
      '--pause-id <id>',
      'with --all: resume what the pause with this id paused; pause --all prints the id',
    );
}

/** Pauses or resumes all sessions, and prints what changed. If a session could not be changed, the exit code is 1. */
export async function runForAll(terminal: Terminal, command: Command, { operation, input }: Written): Promise<void> {
  const client = await connectOwner(terminal);
  const { pauseId, json } = command.opts<{ pauseId?: string; json?: boolean }>();
  const answer = await client.call(ROUTES[operation], { input: { ...input, pause_id: pauseId } });
  const titles = json ? new Map<string, string>() : await titlesOf(client);
  printAnswer(terminal, command, answer, () => allLines(operation, answer, { terminal, titles }));
  if (recordsIn(answer, 'failed').length > 0) throw new CliOutcome(EXIT.REFUSED);
}

/**
 * Refuses a command line with both a session and `--all`, or with neither. Also refuses a pause of one session without
 * a reason.
 */
export function requireOneOrAll(given: string, isAll: boolean, { operation, input }: Written): void {
  if ((given === '') !== isAll)
    throw new CliError(
      EXIT.USAGE,
      isAll ? 'Name a session or give --all, not both.' : 'Name a session, or give --all.',
    );
  if (operation === 'pause' && !isAll && input.reason === undefined)
    throw new CliError(EXIT.USAGE, 'Give a reason with --reason <text>. The agents can read it.');
}

async function titlesOf(client: OwnerClient): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  for await (const session of allSessions(client, 'listSessions'))
    titles.set(textIn(session, 'session_id'), textIn(session, 'title'));
  return titles;
}

interface Shown {
  readonly terminal: Terminal;
  readonly titles: ReadonlyMap<string, string>;
}

/** Maximum number of sessions that are listed by their titles. */
const LISTED = 10;

function allLines(operation: AtOnce, answer: Json, { terminal, titles }: Shown): string[] {
  const { columns, paint, program } = terminal;
  const ids = textsIn(answer, DONE[operation]);
  const count = `${ids.length === 0 ? 'No session is' : ids.length === 1 ? '1 session is' : `${ids.length} sessions are`}`;
  const rows = ids.slice(0, LISTED).map((id) => [id, titles.get(id) ?? '']);
  const failed = recordsIn(answer, 'failed').map((one) => [
    textIn(one, 'session_id'),
    textIn(one, 'code'),
    textIn(one, 'text'),
  ]);
  const pauseId = textIn(answer, 'pause_id');
  return [
    `${count} ${DONE[operation]}.`,
    ...(rows.length > 0
      ? tableLines({ heads: ['session', 'title'], rows, flexible: 1, isShortened: true }, columns, paint)
      : []),
    ...(ids.length > LISTED ? [`and ${ids.length - LISTED} more`] : []),
    ...(failed.length > 0
      ? [
          '',
          `Not ${DONE[operation]}:`,
          ...tableLines({ heads: ['session', 'code', 'why'], rows: failed, flexible: 2 }, columns, paint),
        ]
      : []),
    ...(operation === 'pause' && rows.length > 0
      ? ['To resume exactly these sessions:', '', `  ${program} resume --all --pause-id ${pauseId}`]
      : []),
  ];
}
