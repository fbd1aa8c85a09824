import type { Clock } from '../clock.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { SessionRoot } from '../operation/operation.ts';
import type { Role } from '../roles.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Storage } from '../storage/storage.ts';
import type { Waiters } from './waiters.ts';

/**
 * Shows newer states to the waiters of this process. After a write of this process, the new state is shown when the storage has
 * acknowledged the write. After a write of another process, the session is fetched when a hint arrives. Hints may be lost, doubled
 * or early, so every session with waiters is also fetched every 10 s.
 */

export interface Committed<S> {
  readonly state: S;
  /** The tick that was taken before the append was sent. */
  readonly tick: number;
  /** False if another state replaced the cached state while the append was running. */
  readonly isLatest: boolean;
}

export type CommitSignals<S> = { committed: Committed<S> };

interface WakeUpParts<S extends SessionRoot> {
  readonly storage: Pick<Storage, 'onHint'>;
  readonly sessions: Pick<Sessions<S>, 'load'>;
  readonly waiters: Pick<Waiters<S>, 'tick' | 'publish' | 'end' | 'isAwaited' | 'sessionIds'>;
  readonly clock: Clock;
  readonly observer?: SafeObserver | undefined;
}

/** Milliseconds between two fetches of every session with waiters. A lost hint delays an answer by 10 s at most. */
const BACKSTOP_MS = 10_000;

/**
 * Fetches the sessions that hints name and, every 10 s, all sessions with waiters. Shows the fetched states to the waiters.
 *
 * @returns the function that stops the fetching
 */
export function startWakeUps<S extends SessionRoot>(
  engine: WakeUpParts<S>,
  onFailure: (error: unknown) => void,
): () => void {
  const refreshAll = (sessionIds: Iterable<string>): void => {
    for (const id of sessionIds) refreshSession(engine, id).catch(onFailure);
  };
  const stopHints = engine.storage.onHint((changed) => {
    // A hint that names no session means that any session may have changed.
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

/**
 * Fetches a session and shows its state to its waiters. If the session no longer exists, ends the waits of these waiters.
 */
export async function refreshSession<S extends SessionRoot>(
  { sessions, waiters, observer }: Omit<WakeUpParts<S>, 'storage' | 'clock'>,
  sessionId: string,
): Promise<void> {
  const confirmation = { tick: waiters.tick(), knownSince: observer?.now() };
  const state = await sessions.load(sessionId);
  if (state) waiters.publish(sessionId, state, confirmation);
  else waiters.end(sessionId);
}

/**
 * Shows the waiters the state after a write of this process. If the cache has a later state, or a waiter needs a newer
 * state, fetches the session again.
 */
export function showCommitted<S extends SessionRoot>(
  engine: Omit<WakeUpParts<S>, 'storage' | 'clock'>,
  { state, tick, isLatest }: Committed<S>,
): void {
  const { sessionId } = state;
  const confirmation = { tick, knownSince: engine.observer?.now() };
  if (isLatest && engine.waiters.publish(sessionId, state, confirmation)) return;
  // Errors are ignored, because the session is fetched again within 10 s.
  if (engine.waiters.isAwaited(sessionId)) refreshSession(engine, sessionId).catch(() => undefined);
}

/** Maximum number of roles in sessions whose heads are kept. Beyond it, the head that was shown longest ago is dropped. */
const MAX_HEADS = 20_000;

/**
 * The number of the latest event that this process has shown to each role of a session, in an answer to a read. It is
 * kept in memory only, so it is unknown for an answer of another process or before a restart.
 */
export interface ShownHeads {
  note(sessionId: string, role: Role, seq: number): void;
  /** Undefined if this process has answered no read of the role. */
  of(sessionId: string, role: Role): number | undefined;
}

export function createShownHeads(): ShownHeads {
  const heads = new Map<string, number>();
  const keyOf = (sessionId: string, role: Role): string => `${sessionId} ${role}`;
  return {
    note(sessionId, role, seq) {
      if (role === 'owner') return;
      const key = keyOf(sessionId, role);
      const latest = Math.max(seq, heads.get(key) ?? 0);
      heads.delete(key);
      heads.set(key, latest);
      const [oldest] = heads.size > MAX_HEADS ? heads.keys() : [];
      if (oldest !== undefined) heads.delete(oldest);
    },
    of: (sessionId, role) => heads.get(keyOf(sessionId, role)),
  };
}
