import { counted, listed, plural } from '@parley/core/text';
import { agoText } from '../../text/ago.ts';
import { countToSettle, type Inbox, needsInvitation, nothingText, waitsToSettle } from '../../text/inbox.ts';
import { shellWord } from '../../text/shell-word.ts';
import { countWhileStopped, idleText } from '../../text/stopped-sessions.ts';
import { MARKS } from '../../text/task.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import type { OverviewSession } from '../client/all-sessions.ts';
import type { Looking } from '../print/format-waiting.ts';

/**
 * Number of tasks for the owner in running sessions, and how many of them stop their session. Tasks about absent agents
 * are not counted.
 */
export interface TaskCounts {
  readonly tasks: number;
  readonly blocking: number;
}

export const taskCounts = ({ open }: Inbox<OverviewSession>): TaskCounts => ({
  tasks: open.reduce((sum, session) => sum + countToSettle(session), 0),
  blocking: open.flatMap(waitsToSettle).filter((wait) => wait.blocking).length,
});

/** The id of the call of `pause --all` that paused a session. Empty if no such call paused it. */
export const pauseIdOf = ({ stopped }: OverviewSession): string => stopped?.pause_id ?? '';

interface LookingAtHead extends Looking {
  /** Whether the list has one line for each task, so that absent agents and parked sessions have a mark too. */
  readonly isShort?: boolean;
}

/**
 * The first lines of `parley waiting`: for each `pause --all` that is in force, the number of paused sessions and the
 * command that resumes them; then the number of tasks, and what the marks before them mean.
 */
export function headLines(inbox: Inbox<OverviewSession>, looking: LookingAtHead): string[] {
  const lines = stoppedLines(inbox.parked, 'session', looking);
  const isOnlyPaused = lines.length > 0 && inbox.open.length + inbox.absent.length === 0;
  return isOnlyPaused
    ? lines
    : [
        ...lines,
        ...wrapText(
          [countText(inbox, looking), ...(looking.isShort ? alsoTexts(inbox, looking.nowMs) : [])].join(' '),
          looking.terminal.columns,
        ),
      ];
}

function countText(inbox: Inbox<OverviewSession>, { nowMs, isShort }: LookingAtHead): string {
  const { tasks, blocking } = taskCounts(inbox);
  if (tasks > 0) {
    const rest = tasks - blocking;
    return `${plural(tasks, 'task')} in ${plural(inbox.open.length, 'session')}: ${counted(blocking, 'stops its', 'stop their')} session (marked ${MARKS.stops}), ${counted(rest, 'does', 'do')} not (marked ${MARKS.runs}).`;
  }
  const isLockedOut = inbox.absent.some((session) => needsInvitation(session, nowMs));
  return isShort || (inbox.parked.length > 0 && !isLockedOut)
    ? 'No task waits for you in a running session.'
    : `${nothingText(inbox.absent, nowMs)}.`;
}

/** The lines of the short list that are no tasks of running sessions: how many, and their marks. */
function alsoTexts({ absent, parked }: Inbox<OverviewSession>, nowMs: number): string[] {
  const locked = absent.filter((session) => needsInvitation(session, nowMs)).length;
  const others = absent.length - locked;
  const alone = parked.filter((session) => pauseIdOf(session) === '').length;
  const parts = [
    ...(locked > 0
      ? [
          `${counted(locked, 'session that stops', 'sessions that stop')} until an invited agent joins (marked ${MARKS.locked})`,
        ]
      : []),
    ...(others > 0 ? [`${plural(others, 'session')} with absent agents (marked ${MARKS.absent})`] : []),
    ...(alone > 0
      ? [`${counted(alone, 'draft or paused session', 'drafts and paused sessions')} (marked ${MARKS.parked})`]
      : []),
  ];
  return parts.length > 0 ? [`Also ${listed(parts)}.`] : [];
}

/**
 * For each `pause --all` that paused some of the given sessions, the latest first: the number of these sessions, since when
 * they are paused, and the command that resumes them. `resume --all` without an id resumes what the latest pause paused.
 *
 * @param noun what the given sessions are called
 */
export function stoppedLines(sessions: readonly OverviewSession[], noun: string, looking: Looking): string[] {
  const stopped = sessions
    .filter((session) => pauseIdOf(session) !== '')
    .toSorted((one, other) => pausedAt(other).localeCompare(pausedAt(one)));
  const pauseIds = [...new Set(stopped.map(pauseIdOf))];
  return pauseIds.flatMap((pauseId, index) => {
    const paused = stopped.filter((session) => pauseIdOf(session) === pauseId);
    const flags = index === 0 ? '--all' : `--all --pause-id ${visibleLine(shellWord(pauseId))}`;
    return pausedLines(flags, paused, { ...looking, noun });
  });
}

/** `idleText` of the given sessions, and the command that lists the idle sessions. Empty if no session is idle. */
export function idleLines(sessions: readonly OverviewSession[], { terminal, nowMs }: Looking): string[] {
  const { columns, paint, program } = terminal;
  const text = idleText(sessions, nowMs);
  if (text === '') return [];
  return [
    ...wrapText(`${text}. To list them:`, columns),
    `    ${paint('cyan', `${program} sessions --idle 1h --sort last`)}`,
  ];
}

const pausedAt = ({ stopped }: OverviewSession): string => stopped?.at ?? '';

function pausedLines(
  flags: string,
  sessions: readonly OverviewSession[],
  { terminal, nowMs, noun }: Looking & { readonly noun: string },
): string[] {
  const { columns, paint, program } = terminal;
  const at = sessions.map(pausedAt).toSorted()[0] ?? '';
  const tasks = countWhileStopped(sessions);
  const facts = [
    `${counted(sessions.length, `${noun} is`, `${noun}s are`)} paused by "pause --all", ${agoText(at, nowMs)}.`,
    ...(tasks > 0 ? [`In these sessions, ${counted(tasks, 'task waits', 'tasks wait')} for you.`] : []),
    'To resume them:',
  ];
  return [...wrapText(facts.join(' '), columns), `    ${paint('cyan', `${program} resume ${flags}`)}`];
}
