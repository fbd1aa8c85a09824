import { plural } from '@parley/core/text';
import { hindranceOf } from '../../text/agent.ts';
import { ageText } from '../../text/ago.ts';
import { absentRoles, foldedAbsences, type Inbox, needsInvitation, waitsToSettle } from '../../text/inbox.ts';
import { lineOf, MIN_SHORTENED_COLUMNS, widthOf } from '../../text/table.ts';
import { MARKS, taskOf } from '../../text/task.ts';
import { visibleLine } from '../../text/visible.ts';
import { shortenText, textWidth } from '../../text/width.ts';
import type { OverviewSession } from '../client/all-sessions.ts';
import { namesIn } from '../print/agent-names.ts';
import { idIn, type Looking } from '../print/format-waiting.ts';

/** Index of the cell with the title. */
const TITLE = 2;

interface Row {
  readonly isBlocking: boolean;
  /** Time since which the task waits, ISO 8601. For tasks that the service does not list, later than every time. */
  readonly since: string;
  readonly cells: readonly [mark: string, session: string, title: string, task: string, age: string];
}

/** A time that is sorted after every other time. */
const UNKNOWN = 'unknown';

/**
 * One line for each task: the mark, the session, its title, what to do, and since when. The most urgent task is the last
 * line, which stays on the screen. Drafts and paused sessions come first, then absent agents.
 */
export function shortLines({ open, absent, parked }: Inbox<OverviewSession>, looking: Looking): string[] {
  const uncounted = [
    ...absent
      .map((session) => absenceRow(session, looking))
      .toSorted((one, other) => Number(isLockedRow(other)) - Number(isLockedRow(one))),
    ...parked.map((session) => parkedRow(session, looking)),
  ];
  return rowLines([...rowsOf(open, looking), ...uncounted], looking.terminal.columns).toReversed();
}

/** The tasks of running sessions, the most urgent first: tasks that block, then the oldest. */
const rowsOf = (open: readonly OverviewSession[], looking: Looking): Row[] =>
  open
    .flatMap((session) => taskRows(session, looking))
    .toSorted(
      (one, other) => Number(other.isBlocking) - Number(one.isBlocking) || one.since.localeCompare(other.since),
    );

function taskRows(session: OverviewSession, looking: Looking): Row[] {
  const nameOf = namesIn(session);
  const more = session.left_out?.count ?? 0;
  return [
    ...waitsToSettle(session).map((wait) =>
      rowOf(
        session,
        { mark: wait.blocking ? MARKS.stops : MARKS.runs, task: taskOf(wait, nameOf), since: wait.since },
        looking,
      ),
    ),
    ...(more > 0
      ? [rowOf(session, { mark: MARKS.runs, task: plural(more, 'more task'), since: UNKNOWN }, looking)]
      : []),
  ];
}

const isLockedRow = ({ cells: [mark] }: Row): boolean => mark === MARKS.locked;

/** The absent agents of a session: `agent_b: silent`. */
function absenceRow(session: OverviewSession, looking: Looking): Row {
  const roles = absentRoles(session);
  const words = session.agents
    .filter(({ role }) => roles.includes(role))
    .map((agent) => [agent.role, hindranceOf(agent, looking.nowMs, true)].filter(Boolean).join(': '));
  const since =
    foldedAbsences(session)
      .map(({ since }) => since)
      .toSorted()[0] ?? UNKNOWN;
  return rowOf(
    session,
    { mark: needsInvitation(session, looking.nowMs) ? MARKS.locked : MARKS.absent, task: words.join(', '), since },
    looking,
  );
}

function parkedRow(session: OverviewSession, looking: Looking): Row {
  const [wait] = session.waits;
  return rowOf(session, { mark: MARKS.parked, task: wait ? taskOf(wait) : '', since: wait?.since ?? UNKNOWN }, looking);
}

const rowOf = (
  session: OverviewSession,
  { mark, task, since }: { readonly mark: string; readonly task: string; readonly since: string },
  looking: Looking,
): Row => ({
  isBlocking: mark === MARKS.stops,
  since,
  cells: [mark, idIn(session, looking), visibleLine(session.title), visibleLine(task), ageText(since, looking.nowMs)],
});

/** The rows with aligned cells and shortened titles. */
function rowLines(rows: readonly Row[], columns: number): string[] {
  const natural = [0, 1, TITLE, 3, 4].map((index) =>
    Math.max(...rows.map(({ cells }) => textWidth(cells[index] ?? ''))),
  );
  const excess = widthOf(natural) - columns;
  const widths = natural.map((width, index) =>
    index === TITLE && excess > 0 ? Math.min(width, Math.max(MIN_SHORTENED_COLUMNS, width - excess)) : width,
  );
  return rows.map(({ cells }) =>
    shortenText(
      lineOf(
        cells.map((cell, index) => shortenText(cell, widths[index] ?? 0)),
        widths,
      ),
      columns,
    ),
  );
}
