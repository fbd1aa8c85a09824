import { computed, effect, signal } from '@preact/signals';
import { ApiError, get, isSignedIn } from '../api/client.ts';
import type { Glance, Overview, OwnerWait } from '../api/types.ts';

const POLL_MS = 5_000;

/** The newest sessions; null until they were read. */
export const sessions = signal<readonly Glance[] | null>(null);
/** Where the next page begins; null on the last. */
export const nextAfter = signal<string | null>(null);
export const overviewError = signal<ApiError | null>(null);

/** One thing that waits for the owner, and where. */
export interface Waiting extends OwnerWait {
  readonly session: Glance;
}

/** Everything that waits for the owner, over all sessions that were read. */
export const waiting = computed<readonly Waiting[]>(() =>
  (sessions.value ?? []).flatMap((session) => session.waits.map((wait) => ({ ...wait, session }))),
);

export async function readOverview(): Promise<void> {
  try {
    const { sessions: read, next_after } = await get<Overview>('/overview');
    const older = (sessions.value ?? []).filter(({ created_at }) => created_at < (read.at(-1)?.created_at ?? ''));
    if (older.length === 0) nextAfter.value = next_after;
    sessions.value = [...read, ...older];
    overviewError.value = null;
  } catch (error) {
    if (error instanceof ApiError) overviewError.value = error;
    else throw error;
  }
}

export async function readOlder(): Promise<void> {
  if (nextAfter.value === null) return;
  const { sessions: older, next_after } = await get<Overview>('/overview', { after: nextAfter.value });
  sessions.value = [...(sessions.value ?? []), ...older];
  nextAfter.value = next_after;
}

/** Keeps the overview fresh while somebody looks. */
export function followOverview(): void {
  const look = (): void => {
    if (isSignedIn.value !== false && document.visibilityState === 'visible') void readOverview();
  };
  setInterval(look, POLL_MS);
  document.addEventListener('visibilitychange', look);
  look();
  effect(() => {
    const count = waiting.value.length;
    document.title = count > 0 ? `(${count}) Parley` : 'Parley';
  });
}
