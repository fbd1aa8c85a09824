import { ageText } from '../../text/ago.ts';
import { waitsToSettle } from '../../text/inbox.ts';
import { UNLIMITED } from '../../text/page.ts';
import { lineOf, MIN_SHORTENED_COLUMNS, widthOf } from '../../text/table.ts';
import { taskOf } from '../../text/task.ts';
import { visibleLine } from '../../text/visible.ts';
import { shortenText, textWidth } from '../../text/width.ts';
import { textIn } from '../../transcript/message.ts';
import { shownId } from '../client/shown-id.ts';
import { namesIn } from '../print/agent-names.ts';
import type { Looking, MovingSummary } from '../print/format-waiting.ts';

interface ShortLooking extends Looking {
  /** The ids of all sessions, sorted. Empty for whole ids. */
  readonly ids: readonly string[];
}

/** Maximum number of tasks below a long list. With the title they take six lines. */
const MAX_URGENT = 5;

/** Index of the cell with the title. */
const TITLE = 2;

/**
 * One line for each task of running sessions: the mark, the session, its title, what to do, and since when. Absent agents
 * are left out. On a terminal the most urgent task is the last line, which stays on the screen; in a file or a pipe it is
 * the first line.
 */
export function shortLines(open: readonly MovingSummary[], looking: ShortLooking): string[] {
  const lines = rowLines(rowsOf(open, looking), looking.terminal.columns);
  return looking.terminal.columns === UNLIMITED ? lines : lines.toReversed();
}

/** The most urgent tasks below a long list, so that they stay on the screen. Empty if there are no tasks. */
export function urgentLines(open: readonly MovingSummary[], looking: ShortLooking): string[] {
  const rows = rowsOf(open, looking).slice(0, MAX_URGENT);
  if (rows.length === 0) return [];
  return [looking.terminal.paint('bold', 'Most urgent:'), ...rowLines(rows, looking.terminal.columns)];
}

interface Row {
  readonly isBlocking: boolean;
  /** Time since which the task waits, ISO 8601. For tasks that the service does not list, later than every time. */
  readonly since: string;
  readonly cells: readonly [mark: string, session: string, title: string, task: string, age: string];
}

/** A time that is sorted after every other time. */
const UNKNOWN = 'unknown';

/** The tasks of all sessions, the most urgent first: tasks that block, then the oldest. */
const rowsOf = (open: readonly MovingSummary[], looking: ShortLooking): Row[] =>
  open
    .flatMap((session) => sessionRows(session, looking))
    .toSorted(
      (one, other) => Number(other.isBlocking) - Number(one.isBlocking) || one.since.localeCompare(other.since),
    );

function sessionRows(session: MovingSummary, { nowMs, ids }: ShortLooking): Row[] {
  const id = textIn(session, 'session_id');
  const nameOf = namesIn(session);
  const row = (isBlocking: boolean, task: string, since: string): Row => ({
    isBlocking,
    since,
    cells: [
      isBlocking ? '!' : '-',
      shownId(id, ids),
      visibleLine(textIn(session, 'title')),
      visibleLine(task),
      ageText(since, nowMs),
    ],
  });
  const more = session.left_out?.count ?? 0;
  return [
    ...waitsToSettle(session).map((wait) => row(wait.blocking, taskOf(wait, nameOf), wait.since ?? session.updated_at)),
    ...(more > 0 ? [row(false, `${more} more ${more === 1 ? 'task' : 'tasks'}`, UNKNOWN)] : []),
  ];
}

/** On a terminal, the rows with aligned cells and shortened titles. In a file or a pipe, two spaces between cells. */
function rowLines(rows: readonly Row[], columns: number): string[] {
  if (columns === UNLIMITED) return rows.map(({ cells }) => cells.join('  '));
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
