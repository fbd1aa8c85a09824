import { setTimeout as sleep } from 'node:timers/promises';
import { backOffMs } from '@parley/core';
import { type Members, numberIn, textIn } from '../../transcript/message.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { AgentClient } from './agent-client.ts';

const LONGEST_POLL_SECONDS = 25;
const BACK_OFF = { firstMs: 500, mostMs: 10_000 };
/**
 * Pause before the next long-poll, if the last long-poll returned within a second without ending the wait. Each further such
 * long-poll doubles the pause.
 */
const AT_ONCE = { firstMs: 50, mostMs: 1_000 };
/** Milliseconds after the time limit in which the last answer is still accepted. */
const GRACE_MS = 2_000;

/** The conditions that end a wait, in addition to the end of the session. */
export interface Waiting {
  readonly isReady: (state: Members) => boolean;
  /** The caller's cursor. Work up to this cursor does not end a long-poll. */
  readonly after?: number | undefined;
  readonly limitMs: number;
  /** Milliseconds for which the service may be unreachable. Default: as long as `limitMs`. */
  readonly awayMs?: number;
  /** Called when the service becomes unreachable. */
  readonly onAway: (reason: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Waited {
  /** True if the state ended the wait. False if the time limit or the signal ended the wait. */
  readonly isReady: boolean;
  /** The last state that was read. Absent if the service did not answer. */
  readonly state?: Members;
}

/**
 * Reads the state until it is ready or the session has ended. States:
 *
 * - looking: reads the state for the first time, without waiting.
 * - polling: makes long-polls of up to 25 seconds.
 * - away: the service does not answer, or refuses temporarily. Tries again after growing pauses, then polls again.
 *
 * Any other refusal, such as that of an invalid token, ends the wait with CliError.
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
      const state = await client.call(
        'read_session_state',
        seen.state ? pollInput(leftMs, after) : {},
        signalWithin(leftMs, signal),
      );
      if (isEnded(state) || waiting.isReady(state)) return { isReady: true, state };
      heardAt = performance.now();
      failures = 0;
      hasty = seen.state && heardAt - startedAt < AT_ONCE.mostMs ? hasty + 1 : 0;
      if (hasty > 0) {
        // The next poll waits for work after this cursor. Work up to this cursor does not end that poll.
        after = numberIn(state, 'cursor');
        await pause(Math.min(AT_ONCE.firstMs * 2 ** (hasty - 1), AT_ONCE.mostMs), signal);
      }
      seen = { isReady: false, state };
    } catch (error) {
      if (signal?.aborted) return seen;
      const reason = passingReason(error);
      if (reason === undefined) throw error;
      if (failures === 0) waiting.onAway(reason);
      failures += 1;
      if (performance.now() - heardAt > awayMs) return { isReady: false };
      await pause(Math.min(pauseMs(error, failures), Math.max(end - performance.now(), 0)), signal);
    }
  }
  return seen;
}

/** Creates a signal that aborts with the caller's signal, or when the time for one call is over. */
function signalWithin(leftMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(Math.ceil(Math.min(Math.max(leftMs, 0) + GRACE_MS, LONGEST_POLL_SECONDS * 2_000)));
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

export const isEnded = (state: Members): boolean => state.status === 'ENDED';

function pollInput(leftMs: number, after: number | undefined): Members {
  const wait = Math.min(LONGEST_POLL_SECONDS, Math.max(1, Math.ceil(leftMs / 1_000)));
  return { wait, ...(after === undefined ? {} : { after }) };
}

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
 * The reason of a temporary failure. Undefined if the failure ends the wait. An error without a code of Parley comes from a
 * proxy in front of Parley and counts as temporary.
 */
function passingReason(error: unknown): string | undefined {
  if (!(error instanceof CliError) || error.exitCode === EXIT.NO_KEY) return undefined;
  const code = textIn(error.body ?? {}, 'error');
  if (error.exitCode !== EXIT.UNREACHABLE && code !== '' && !PASSING.includes(code)) return undefined;
  return error.message.split('\n')[0];
}

function pauseMs(error: unknown, failures: number): number {
  const asked = error instanceof CliError ? numberIn(error.body ?? {}, 'retry_after_seconds') : 0;
  return Math.max(asked * 1_000, backOffMs(failures, { ...BACK_OFF, random: Math.random() }));
}

/** Waits for some milliseconds. Resolves early, without an error, if the signal aborts. */
const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
