import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ToolInput } from '@parley/core/client';
import { readAs } from '../../text/read-as.ts';
import { isPassingRefusal } from '../client/lost-connection.ts';
import { passingPauseMs } from '../client/passing-pause.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { AgentClient } from './agent-client.ts';

const LONGEST_POLL_SECONDS = 25;
/**
 * The first pause and the longest pause after a long-poll that returned within a second and did not end the wait. Each
 * further such long-poll in a row doubles the pause.
 */
const AT_ONCE = { firstMs: 50, mostMs: 1_000 };
/** Milliseconds by which the last long-poll may exceed the time limit of the wait. */
const GRACE_MS = 2_000;

/** The state of a session as an agent sees it. */
export type AgentState = Answer<'read_session_state'>;

export interface Waiting {
  readonly isReady: (state: AgentState) => boolean;
  /** Cursor of the last answer that the caller has seen. Work up to this cursor does not end a long-poll. */
  readonly after?: number | undefined;
  readonly limitMs: number;
  /** Milliseconds for which the service may be unreachable. A refusal with 429 is an answer. Default: `limitMs`. */
  readonly awayMs?: number;
  /** Called when a call fails, but not again for the failed calls that directly follow. */
  readonly onAway: (reason: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Waited {
  /** True if `isReady` accepted the state or the session has ended. False if the wait ended for another reason. */
  readonly isReady: boolean;
  /** The latest state. Absent if no call succeeded, or if the service was unreachable for longer than `awayMs`. */
  readonly state?: AgentState;
}

/**
 * Reads the state until `isReady` accepts it, the session has ended, `limitMs` is over, or `signal` aborts. States:
 *
 * - looking: reads the state for the first time, without a long-poll.
 * - polling: makes long-polls of up to 25 seconds.
 * - away: the service is unreachable or refuses temporarily. Calls again after growing pauses, for up to `awayMs`.
 *
 * Any other refusal, for example of an invalid token, rejects with CliError.
 */
export async function waitForState(client: AgentClient, waiting: Waiting): Promise<Waited> {
  const { limitMs, awayMs = limitMs, signal } = waiting;
  const end = performance.now() + limitMs;
  let seen: Waited = { isReady: false };
  let after = waiting.after;
  for (let failures = 0, hasty = 0, heardAt = performance.now(); !signal?.aborted; ) {
    const leftMs = end - performance.now();
    if (leftMs <= 0 && (seen.state || failures > 0)) return seen;
    const startedAt = performance.now();
    try {
      const read = (input: ToolInput<'read_session_state'>) =>
        client.call('read_session_state', input, {
          signal: signalWithin(seen.state ? leftMs : Math.min(leftMs, awayMs), signal),
        });
      const answer = await read(seen.state ? pollInput(leftMs, after) : {});
      // A long-poll with a cursor is answered with the news alone.
      const state = seen.state && after !== undefined && !isEnded(answer) ? await read({}) : answer;
      if (isEnded(state) || waiting.isReady(state)) return { isReady: true, state };
      heardAt = performance.now();
      failures = 0;
      hasty = seen.state && heardAt - startedAt < AT_ONCE.mostMs ? hasty + 1 : 0;
      if (hasty > 0) {
        // The next long-poll gets the cursor of this state, so that it does not return immediately because of the same
        // work.
        after = state.cursor;
        await pause(Math.min(AT_ONCE.firstMs * 2 ** (hasty - 1), AT_ONCE.mostMs), signal);
      }
      seen = { isReady: false, state };
    } catch (error) {
      if (signal?.aborted) return seen;
      const reason = passingReason(error);
      if (reason === undefined) throw error;
      if (failures === 0) waiting.onAway(reason);
      failures += 1;
      if (isLimit(error)) heardAt = performance.now();
      if (performance.now() - heardAt > awayMs) return { isReady: false };
      await pause(Math.min(passingPauseMs(error, failures), Math.max(end - performance.now(), 0)), signal);
    }
  }
  return seen;
}

function signalWithin(leftMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(Math.ceil(Math.min(Math.max(leftMs, 0) + GRACE_MS, LONGEST_POLL_SECONDS * 2_000)));
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

export const isEnded = (state: AgentState): boolean => state.status === 'ENDED';

function pollInput(leftMs: number, after: number | undefined): ToolInput<'read_session_state'> {
  const wait = Math.min(LONGEST_POLL_SECONDS, Math.max(1, Math.ceil(leftMs / 1_000)));
  return { wait, ...(after === undefined ? {} : { after }) };
}

/** Whether the service, or a proxy before it, takes no more calls in this minute. */
export const isLimit = (error: unknown): boolean => error instanceof CliError && error.status === 429;

/** Codes of temporary refusals: the same call can succeed later, or after the owner acts. */
const PASSING = [
  'SHUTTING_DOWN',
  'STORAGE_UNAVAILABLE',
  'INTERNAL',
  'RATE_LIMITED',
  'MODERATOR_STOPPED',
  'MODERATOR_NOT_ENTITLED',
];

/**
 * The reason of a temporary failure, or undefined for any other failure. An error without a code of Parley comes from a
 * proxy in front of Parley and counts as temporary. An answer of another form or length than Parley's has no status here and
 * ends the wait: the next one would be the same.
 */
function passingReason(error: unknown): string | undefined {
  if (!(error instanceof CliError) || error.exitCode === EXIT.NO_KEY) return undefined;
  const { error: code } = readAs(error.body, { error: 'text' });
  const isPassing = error.exitCode === EXIT.UNREACHABLE || isPassingRefusal(error) || PASSING.includes(code);
  if (!isPassing && (code !== '' || error.status === undefined)) return undefined;
  return error.message.split('\n')[0];
}

/** Waits for `ms` milliseconds. If the signal aborts, resolves earlier and without an error. */
const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
