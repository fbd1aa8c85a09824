import type { Command } from 'commander';
import type { JsonRoute } from '../../server/api/owner-route.ts';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { counted } from '../../text/counted.ts';
import { tableLines } from '../../text/table.ts';
import { recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import { connectOwner } from '../client/owner-client.ts';
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
      'with --all: resume what an earlier pause paused; `parley pause --all --json` and `parley waiting` print the id',
    );
}

/** Pauses or resumes all sessions, and prints what changed. If a session could not be changed, the exit code is 1. */
export async function runForAll(terminal: Terminal, command: Command, { operation, input }: Written): Promise<void> {
  const client = await connectOwner(terminal);
  const { pauseId } = command.opts<{ pauseId?: string }>();
  const answer = await client.call(ROUTES[operation], { input: { ...input, pause_id: pauseId } });
  printAnswer(terminal, command, answer, () => allLines(operation, answer, terminal));
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

function allLines(operation: AtOnce, answer: Json, { columns, paint, program }: Terminal): string[] {
  const count = textsIn(answer, DONE[operation]).length;
  const sessions = count === 0 ? 'No session is' : counted(count, 'session is', 'sessions are');
  const failed = recordsIn(answer, 'failed').map((one) => [
    textIn(one, 'session_id'),
    textIn(one, 'code'),
    textIn(one, 'text'),
  ]);
  const undo = operation === 'pause' && count > 0 ? ` To undo: ${program} resume --all` : '';
  return [
    `${sessions} ${DONE[operation]}.${undo}`,
    ...(failed.length > 0
      ? [
          '',
          `Not ${DONE[operation]}:`,
          ...tableLines({ heads: ['session', 'code', 'why'], rows: failed, flexible: 2 }, columns, paint),
        ]
      : []),
  ];
}
