import type { Clock } from '../clock.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { SessionRoot } from '../operation/domain.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Storage } from '../storage/storage.ts';
import type { Waiters } from './waiters.ts';

/** Something was stored by this process. */
export interface Committed<S> {
  readonly state: S;
  /** When its append was sent, as `Waiters.tick` counts. */
  readonly tick: number;
  /** False when another state became known while it was on its way. */
  readonly isLatest: boolean;
}

export type CommitSignals<S> = { committed: Committed<S> };

/** What wake-ups need of the engine. */
interface WakeUpParts<S extends SessionRoot> {
  readonly storage: Storage;
  readonly sessions: Sessions<S>;
  readonly waiters: Waiters<S>;
  readonly clock: Clock;
  readonly observer?: SafeObserver | undefined;
}

/** How often sessions with waiters are looked at without a hint: the bound on what a lost hint costs. */
const BACKSTOP_MS = 10_000;

/**
 * Brings the news of other processes to the waiters here: at once on a hint, at the latest after the backstop.
 * Hints may be lost, doubled or early; the log is what counts.
 *
 * @returns the function that ends it
 */
export function startWakeUps<S extends SessionRoot>(
  engine: WakeUpParts<S>,
  onFailure: (error: unknown) => void,
): () => void {
  const stopHints = engine.storage.onHint((sessionIds) => refreshAll(engine, sessionIds, onFailure));
  let stopTimer = (): void => undefined;
  const schedule = (): void => {
    stopTimer = engine.clock.after(BACKSTOP_MS, () => {
      refreshAll(engine, [], onFailure);
      schedule();
    });
  };
  schedule();
  return () => {
    stopHints();
    stopTimer();
  };
}

/** @param sessionIds those that changed; none means that any may have */
function refreshAll<S extends SessionRoot>(
  engine: WakeUpParts<S>,
  sessionIds: readonly string[],
  onFailure: (error: unknown) => void,
): void {
  const waiting = engine.waiters.sessionIds();
  const changed = new Set(sessionIds);
  const concerned = sessionIds.length === 0 ? waiting : waiting.filter((id) => changed.has(id));
  for (const id of concerned) refreshSession(engine, id).catch(onFailure);
}

/** Shows the state that the storage has now to whoever waits for the session; one that is gone ends their waits. */
export async function refreshSession<S extends SessionRoot>(
  { sessions, waiters, observer }: WakeUpParts<S>,
  sessionId: string,
): Promise<void> {
  const tick = waiters.tick();
  const since = observer?.now();
  const state = await sessions.load(sessionId);
  if (state) waiters.publish(sessionId, state, tick, since);
  else waiters.end(sessionId);
}

/** Wakes the waiters here with what this process stored itself; whom that cannot serve, a fetch does. */
export function showCommitted<S extends SessionRoot>(
  engine: WakeUpParts<S>,
  { state, tick, isLatest }: Committed<S>,
): void {
  const { sessionId } = state;
  if (isLatest && engine.waiters.publish(sessionId, state, tick)) return;
  const isAwaited = engine.waiters.sessionIds().includes(sessionId);
  // Should it fail, the backstop looks again.
  if (isAwaited) refreshSession(engine, sessionId).catch(() => undefined);
}
