import { MAX_WAIT_SECONDS } from '../limits.ts';
import type { Call, Reply } from '../operation/host-port.ts';
import type { Caller, SessionRoot } from '../operation/operation.ts';
import { type Engine, loadState } from './engine.ts';
import { answerRead } from './replies.ts';

/** Answers a read from a state that was fetched for this request. */
export async function runRead<S extends SessionRoot>(engine: Engine<S>, call: Call<S>): Promise<Reply> {
  const state = newest(engine, call) ?? (await loadState(engine, call));
  return await answerRead(engine, call, { state, timedOut: false });
}

/**
 * The state from which the read is answered: `seen`, which was fetched for this request, or the cached state if the cached
 * state is newer. Undefined if no state was fetched for this request.
 */
function newest<S extends SessionRoot>({ sessions }: Engine<S>, { seen, sessionId }: Call<S>): S | undefined {
  const known = seen && sessions.peek(sessionId);
  return known && known.head.seq > seen.head.seq ? known : seen;
}

/**
 * Runs a long-poll. Replies at once if the operation's `isReady` is true of the state, otherwise when it becomes true or the time
 * is over. `call.identify` checks the token on each newer state, and throws if the token was revoked.
 *
 * @param asked number of seconds that the caller wants to wait
 */
export async function runWait<S extends SessionRoot>(engine: Engine<S>, call: Call<S>, asked: number): Promise<Reply> {
  const { operation, sessionId, input } = call;
  const seconds = Math.min(asked, MAX_WAIT_SECONDS, call.maxWaitSeconds ?? MAX_WAIT_SECONDS);
  const waiter = engine.waiters.register(sessionId, call.holder, engine.limits.heldPollsPerToken);
  try {
    const state = await loadState(engine, call);
    const isDone = (candidate: S): boolean =>
      operation.waits?.isReady(candidate, input, call.identify(candidate), state) ?? true;
    operation.check?.(state, input, call.identify(state));
    const isReady = isDone(state);
    if (isReady || seconds <= 0) return await answerRead(engine, call, { state, timedOut: !isReady });
    const caller = call.identify(state);
    const endWait = engine.presence.waiting(sessionId, caller.role);
    let found: S | null;
    try {
      found = await waiter.until(isDone, waitMs(engine, caller, seconds), call.sender?.signal);
    } finally {
      endWait();
    }
    const last = found ?? (await lastLook(engine, call));
    return await answerRead(engine, call, { state: last, timedOut: !found && !isDone(last) });
  } finally {
    waiter.release();
  }
}

/**
 * Loads the state for a long-poll whose time is over. The replies to long-polls that end at the same time are spread
 * over several iterations of the event loop.
 */
async function lastLook<S extends SessionRoot>(engine: Engine<S>, call: Call<S>): Promise<S> {
  const state = await loadState(engine, call);
  await engine.waiters.nextSlot();
  return state;
}

/** Milliseconds that a long-poll waits. If its token expires earlier, the long-poll ends at that time with TOKEN_EXPIRED. */
function waitMs<S extends SessionRoot>({ clock }: Engine<S>, caller: Caller, seconds: number): number {
  const expiresAt = caller.role === 'owner' ? Number.POSITIVE_INFINITY : caller.expiresAt;
  return Math.max(0, Math.min(seconds * 1000, expiresAt - clock.now()));
}
