import { computed, signal } from '@preact/signals';
import { call } from '../api/client.ts';
import { announce } from './announced.ts';
import { inbox, readInbox, readNeededSessions } from './sessions.ts';
import { pausedText, resumedText } from './stop-words.ts';

/** A call of *Stop all* whose sessions are not all resumed yet. */
export interface Stop {
  readonly pauseId: string;
  /** Number of sessions that the *Stop all* has paused and that are still paused. */
  readonly count: number;
}

/**
 * The name in the local storage under which the page keeps the `pauseId` of a *Stop all*, if the owner has chosen to
 * leave its sessions paused.
 */
const STORED = 'parley-left-paused';

const leftPaused = signal(localStorage.getItem(STORED));
/** Number of sessions that the last *Stop all* on this page could not pause. */
export const failedCount = signal(0);

/**
 * The latest call of *Stop all* that the server reports. Null if none of its sessions is still paused, or if the owner
 * has chosen to leave them paused.
 */
export const lastStop = computed<Stop | null>(() => {
  const stopped = inbox.value.stopped.flatMap((session) => session.stopped ?? []);
  const [latest] = stopped.toSorted((one, other) => (one.at < other.at ? 1 : -1));
  if (!latest || latest.pause_id === leftPaused.value) return null;
  const count = stopped.filter(({ pause_id }) => pause_id === latest.pause_id).length;
  return { pauseId: latest.pause_id, count };
});

/** Pauses every active session. Rejects with ApiError. */
export async function stopAll(reason: string): Promise<void> {
  const { paused, failed } = await call('pauseAll', { reason });
  failedCount.value = failed.length;
  await readAll();
  announce(pausedText({ done: paused.length, failed: failed.length }));
}

/**
 * Resumes the sessions that *Stop all* has paused, except sessions that were resumed or paused again since. Rejects
 * with ApiError.
 */
export async function undoStop({ pauseId }: Stop): Promise<void> {
  const { resumed, failed } = await call('resumeAll', { pause_id: pauseId });
  failedCount.value = 0;
  await readAll();
  announce(resumedText({ done: resumed.length, failed: failed.length }));
}

/** Reads everything on the page that a change of all sessions affects. */
const readAll = (): Promise<unknown> => Promise.all([readInbox(true), readNeededSessions(true)]);

/**
 * Leaves the sessions of a *Stop all* paused. This browser then offers no undo for this *Stop all*, even after a
 * reload.
 */
export function leavePaused({ pauseId }: Stop): void {
  localStorage.setItem(STORED, pauseId);
  leftPaused.value = pauseId;
  failedCount.value = 0;
}
