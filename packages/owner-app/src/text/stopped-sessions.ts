import { counted, plural } from '@parley/core/text';
import { IDLE_MS } from './agent.ts';
import {
  byUrgency,
  type Inbox,
  type InboxSession,
  isIdle,
  lastWroteAt,
  type WrittenSession,
  waitsToSettle,
} from './inbox.ts';
import { ageText } from './time.ts';

interface Parted<Session> {
  /** Sessions that a *Stop all* paused. Sessions with a task besides resuming come first, the most urgent first. */
  readonly stopped: readonly Session[];
  /** Drafts, and sessions that were paused alone. */
  readonly parked: readonly Session[];
}

/** Parts the drafts and paused sessions of the inbox. */
export const partParked = <Session extends InboxSession>(parked: readonly Session[]): Parted<Session> => ({
  stopped: parked.filter(({ stopped }) => stopped !== undefined).toSorted(byStoppedUrgency),
  parked: parked.filter(({ stopped }) => stopped === undefined),
});

/** The tasks of a stopped session, besides resuming it and absent agents. */
export const tasksWhileStopped = <Wait extends { readonly kind: string; readonly blocking: boolean }>(session: {
  readonly waits: readonly Wait[];
}): Wait[] => waitsToSettle(session).filter(({ kind }) => kind !== 'RESUME');

/** Number of tasks in stopped sessions, besides resuming them and absent agents. */
export const countWhileStopped = (stopped: readonly Pick<InboxSession, 'waits' | 'left_out'>[]): number =>
  stopped.reduce((sum, session) => sum + tasksWhileStopped(session).length + (session.left_out?.count ?? 0), 0);

/** The text for sessions that a *Stop all* paused: `10 tasks wait in 9 of 39 stopped sessions`. */
export function stoppedText(stopped: readonly Pick<InboxSession, 'waits' | 'left_out'>[]): string {
  const tasks = countWhileStopped(stopped);
  const withTasks = stopped.filter((session) => countWhileStopped([session]) > 0).length;
  const sessions = `${stopped.length} ${tasks > 0 ? 'stopped ' : ''}${stopped.length === 1 ? 'session' : 'sessions'}`;
  if (tasks === 0) return `${sessions} ${stopped.length === 1 ? 'is' : 'are'} stopped`;
  return `${counted(tasks, 'task waits', 'tasks wait')} in ${withTasks < stopped.length ? `${withTasks} of ` : ''}${sessions}`;
}

type WorkingSession = WrittenSession & { readonly status: string; readonly movers: readonly string[] };

/** How many of the given sessions are active and idle, and for how long at most. Empty if none is. */
export function idleText(sessions: readonly WorkingSession[], nowMs: number): string {
  const idle = sessions.filter((session) => session.status === 'ACTIVE' && isIdle(session, IDLE_MS, nowMs));
  const oldest = idle.map(lastWroteAt).toSorted()[0];
  if (oldest === undefined) return '';
  return `In ${plural(idle.length, 'session')}, the agents have something to do but have written nothing for up to ${ageText(oldest, nowMs)}`;
}

/**
 * The short text of the inbox for the bar above each page.
 *
 * @param count number of tasks that wait for the owner in running sessions
 */
export function inboxLabel(
  count: number,
  { absent, stopped }: Pick<Inbox<InboxSession>, 'absent'> & Pick<Parted<InboxSession>, 'stopped'>,
): string {
  if (count > 0) return `${counted(count, 'waits', 'wait')} for you`;
  const inStopped = countWhileStopped(stopped);
  if (inStopped > 0) return `${counted(inStopped, 'waits', 'wait')} in stopped sessions`;
  return absent.length > 0 ? 'Agents are absent' : 'Nothing waits for you';
}

function byStoppedUrgency(one: InboxSession, other: InboxSession): number {
  const mine = { ...one, waits: tasksWhileStopped(one) };
  const others = { ...other, waits: tasksWhileStopped(other) };
  const tasks = Number(others.waits.length > 0) - Number(mine.waits.length > 0);
  return tasks === 0 ? byUrgency(mine, others) : tasks;
}
