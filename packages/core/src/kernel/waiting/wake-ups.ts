/**
 * Shows newer states to the waiters of this process. A write of this process is shown when it is acknowledged. A write of
 * another process is fetched when its hint arrives, or by the backstop: hints may be lost, doubled or early.
 */
import type { Clock } from '../clock.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { SessionRoot } from '../operation/domain.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Storage } from '../storage/storage.ts';
import type { Waiters } from './waiters.ts';

/** An append of this process that was acknowledged. */
export interface Committed<S> {
  readonly state: S;
  /** When the append was sent, by `Waiters.tick`. */
  readonly tick: number;
  /** False if the cache took another state while the append was on its way. */
  readonly isLatest: boolean;
}

export type CommitSignals<S> = { committed: Committed<S> };

/** The parts of the engine that wake-ups use. */
interface WakeUpParts<S extends SessionRoot> {
  readonly storage: Pick<Storage, 'onHint'>;
  readonly sessions: Pick<Sessions<S>, 'load'>;
  readonly waiters: Pick<Waiters<S>, 'tick' | 'publish' | 'end' | 'isAwaited' | 'sessionIds'>;
  readonly clock: Clock;
  readonly observer?: SafeObserver | undefined;
}

/** How often every awaited session is fetched without a hint: 10 s, the longest delay that a lost hint causes. */
const BACKSTOP_MS = 10_000;

/**
 * Fetches the sessions that hints name, and every 10 s all awaited sessions, and shows them to their waiters.
 *
 * @returns the function that stops it
 */
export function startWakeUps<S extends SessionRoot>(
  engine: WakeUpParts<S>,
  onFailure: (error: unknown) => void,
): () => void {
  const refreshAll = (sessionIds: Iterable<string>): void => {
    for (const id of sessionIds) refreshSession(engine, id).catch(onFailure);
  };
  const stopHints = engine.storage.onHint((changed) => {
    // A hint without names says that any session may have changed.
    if (changed.length === 0) refreshAll(engine.waiters.sessionIds());
    else refreshAll([...new Set(changed)].filter((id) => engine.waiters.isAwaited(id)));
  });
  let stopTimer = (): void => undefined;
  const schedule = (): void => {
    stopTimer = engine.clock.after(BACKSTOP_MS, () => {
      refreshAll(engine.waiters.sessionIds());
      schedule();
    });
  };
  schedule();
  return () => {
    stopHints();
    stopTimer();
  };
}

/** Shows the state that the storage has now to the waiters of the session; if the session is gone, ends their waits. */
export async function refreshSession<S extends SessionRoot>(
  { sessions, waiters, observer }: Omit<WakeUpParts<S>, 'storage' | 'clock'>,
  sessionId: string,
): Promise<void> {
  const confirmation = { tick: waiters.tick(), knownSince: observer?.now() };
  const state = await sessions.load(sessionId);
  if (state) waiters.publish(sessionId, state, confirmation);
  else waiters.end(sessionId);
}

/** Shows a write of this process to the waiters. If it is not the latest state, or stale for a waiter, fetches once more. */
export function showCommitted<S extends SessionRoot>(
  engine: Omit<WakeUpParts<S>, 'storage' | 'clock'>,
  { state, tick, isLatest }: Committed<S>,
): void {
  const { sessionId } = state;
  const confirmation = { tick, knownSince: engine.observer?.now() };
  if (isLatest && engine.waiters.publish(sessionId, state, confirmation)) return;
  // An error is ignored: the backstop fetches again.
  if (engine.waiters.isAwaited(sessionId)) refreshSession(engine, sessionId).catch(() => undefined);
}
