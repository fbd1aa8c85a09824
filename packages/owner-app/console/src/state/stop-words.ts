import { plural } from '@parley/core/text';

/** What a call of *Stop all*, or its undo, has done. */
interface Changed {
  /** Number of sessions that the call has changed. */
  readonly done: number;
  /** Number of sessions that the call could not change. */
  readonly failed: number;
}

const sessionsText = (count: number): string => plural(count, 'session');

/** Confirms a *Stop all*: `39 of 39 sessions paused.` */
export function pausedText({ done, failed }: Changed): string {
  if (done + failed === 0) return 'No session was running.';
  const all = `${done} of ${sessionsText(done + failed)} paused.`;
  return failed === 0 ? all : `${all} The table of sessions shows which still run.`;
}

/** Confirms the undo of a *Stop all*: `39 sessions resumed.` */
export function resumedText({ done, failed }: Changed): string {
  if (done + failed === 0) return 'These sessions were already resumed or ended.';
  if (failed === 0) return `${sessionsText(done)} resumed.`;
  return `${done} of ${sessionsText(done + failed)} resumed. The table of sessions shows which are still paused.`;
}
