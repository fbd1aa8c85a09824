import { computed, effect, signal } from '@preact/signals';
import { ApiError, get, isSignedIn } from '../api/client.ts';
import type { Glance, Overview, OwnerWait } from '../api/types.ts';

const POLL_MS = 5_000;
/** Milliseconds between two reads of the sessions after the first page. */
const BEHIND_MS = 30_000;

/** The newest sessions; null before the first read. */
export const sessions = signal<readonly Glance[] | null>(null);
/** The cursor of the next page; null on the last page. */
export const nextAfter = signal<string | null>(null);
export const overviewError = signal<ApiError | null>(null);

/** A task that waits for the owner, and its session. */
export interface Waiting extends OwnerWait {
  readonly session: Glance;
}

/** Sessions that are not on the first page and have a task that waits for the owner. */
const waitingBehind = signal<readonly Glance[]>([]);
let behindReadAt = Number.NEGATIVE_INFINITY;

/** All tasks that wait for the owner, in all sessions. */
export const waiting = computed<readonly Waiting[]>(() => {
  const shown = sessions.value ?? [];
  const ids = new Set(shown.map(({ session_id }) => session_id));
  const behind = waitingBehind.value.filter(({ session_id }) => !ids.has(session_id));
  return [...shown, ...behind].flatMap((session) => session.waits.map((wait) => ({ ...wait, session })));
});

/**
 * Reads the first page of sessions, and sometimes the later pages.
 *
 * @param isWhole true reads the later pages now; false reads them only if the last read was more than 30 seconds ago
 */
export async function readOverview(isWhole = false): Promise<void> {
  try {
    const { sessions: read, next_after } = await get<Overview>('/overview');
    const older = (sessions.value ?? []).filter(({ created_at }) => created_at < (read.at(-1)?.created_at ?? ''));
    if (older.length === 0) nextAfter.value = next_after;
    sessions.value = [...read, ...older];
    if (isWhole || Date.now() - behindReadAt > BEHIND_MS) await readBehind();
    overviewError.value = null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A missing sign-in (401) is not shown as an error of the overview.
    overviewError.value = error.status === 401 ? null : error;
  }
}

async function readBehind(): Promise<void> {
  behindReadAt = Date.now();
  const found: Glance[] = [];
  for (let after = nextAfter.value; after !== null; ) {
    const page: Overview = await get<Overview>('/overview', { after, limit: '100' });
    found.push(...page.sessions.filter(({ waits }) => waits.length > 0));
    after = page.next_after;
  }
  waitingBehind.value = found;
}

/** Removes an erased session from every list. */
export function forgetSession(sessionId: string): void {
  const isOther = ({ session_id }: Glance): boolean => session_id !== sessionId;
  sessions.value = sessions.value?.filter(isOther) ?? null;
  waitingBehind.value = waitingBehind.value.filter(isOther);
}

export async function readOlder(): Promise<void> {
  if (nextAfter.value === null) return;
  const { sessions: older, next_after } = await get<Overview>('/overview', { after: nextAfter.value });
  sessions.value = [...(sessions.value ?? []), ...older];
  nextAfter.value = next_after;
}

/** Reads the overview regularly while the page is visible. */
export function followOverview(): void {
  const look = (): void => {
    if (isSignedIn.value !== false && document.visibilityState === 'visible') void readOverview();
  };
  setInterval(look, POLL_MS);
  document.addEventListener('visibilitychange', look);
  // Reads the overview when the page is opened, and again when another tab has signed in.
  effect(() => {
    if (isSignedIn.value === null) void readOverview();
  });
  effect(() => {
    const count = waiting.value.length;
    document.title = count > 0 ? `(${count}) Parley` : 'Parley';
  });
}
