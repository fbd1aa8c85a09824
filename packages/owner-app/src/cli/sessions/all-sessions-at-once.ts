import type { Answer } from '@parley/core/client';
import { counted } from '@parley/core/text';
import type { Command } from 'commander';
import type { Json } from '../../text/read-as.ts';
import { tableLines } from '../../text/table.ts';
import { serverNow } from '../../text/time.ts';
import { type OverviewSession, overviewSessions } from '../client/all-sessions.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { CliError, CliOutcome, EXIT } from '../exit-codes.ts';
import { printAnswer } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { pauseIdOf, stoppedLines } from './waiting.ts';

type AtOnce = 'pause' | 'resume';

const DONE = { pause: 'paused', resume: 'resumed' } as const;

interface Written {
  readonly operation: AtOnce;
  readonly input: Json;
}

/** Whether an operation accepts `--all` in place of a session, as `parley pause --all` does. */
export const isForAll = (operation: string): operation is AtOnce => Object.hasOwn(DONE, operation);

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
  const answer =
    operation === 'pause'
      ? await client.call('pauseAll', input)
      : await client.call('resumeAll', { ...input, pause_id: pauseId });
  const isUnchanged = changedIn(answer).length + answer.failed.length === 0;
  const paused = isUnchanged && command.opts().json !== true ? await pausedSessions(client) : [];
  printAnswer(terminal, command, answer, () =>
    isUnchanged ? unchangedLines(operation, paused, { terminal, pauseId }) : changedLines(operation, answer, terminal),
  );
  if (answer.failed.length > 0) throw new CliOutcome(EXIT.REFUSED);
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

async function pausedSessions(client: OwnerClient): Promise<OverviewSession[]> {
  const found: OverviewSession[] = [];
  for await (const session of overviewSessions(client)) {
    if (session.status === 'PAUSED') found.push(session);
  }
  return found;
}

/** Why no session changed: the sessions that are paused already, and the commands that resume them. */
function unchangedLines(
  operation: AtOnce,
  paused: readonly OverviewSession[],
  { terminal, pauseId }: { readonly terminal: Terminal; readonly pauseId: string | undefined },
): string[] {
  const alone = paused.filter((session) => pauseIdOf(session) === '').length;
  const aloneText = `${counted(alone, 'session is', 'sessions are')} paused alone. To resume ${alone === 1 ? 'it' : 'one'}: ${terminal.program} resume SESSION`;
  return [
    operation === 'pause' ? notPausedText(paused.length) : notResumedText(pauseId),
    ...stoppedLines(paused, 'session', { terminal, nowMs: serverNow() }),
    ...(alone > 0 ? [aloneText] : []),
  ];
}

const notPausedText = (paused: number): string =>
  paused === 0
    ? 'No session is paused: you have no active session.'
    : `No session is active: ${counted(paused, 'session is', 'sessions are')} paused already.`;

const notResumedText = (pauseId: string | undefined): string =>
  `No session is resumed: none is paused by ${pauseId === undefined ? '' : `the call "${pauseId}" of `}"pause --all".`;

type Changed = Answer<'pauseAll'> | Answer<'resumeAll'>;

/** The ids of the sessions that the call has changed. */
const changedIn = (answer: Changed): readonly string[] => ('paused' in answer ? answer.paused : answer.resumed);

function changedLines(operation: AtOnce, answer: Changed, terminal: Terminal): string[] {
  const count = changedIn(answer).length;
  const sessions = count === 0 ? 'No session is' : counted(count, 'session is', 'sessions are');
  const failed = answer.failed.map(({ session_id, code, text }) => [session_id, code, text]);
  const undo = operation === 'pause' && count > 0 ? ` To undo: ${terminal.program} resume --all` : '';
  return [
    `${sessions} ${DONE[operation]}.${undo}`,
    ...(failed.length > 0
      ? ['', `Not ${DONE[operation]}:`, ...tableLines({ heads: ['session', 'code', 'why'], rows: failed }, terminal)]
      : []),
  ];
}
