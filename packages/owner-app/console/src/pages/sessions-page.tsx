import { useSignal } from '@preact/signals';
import {
  COLUMN_TITLES,
  COLUMNS,
  countsFor,
  FIRST_ORDER,
  filterFrom,
  filterSessions,
  queryOf,
  type TableFilter,
} from '../sessions/filter.ts';
import { FilterBar } from '../sessions/filter-bar.tsx';
import { SessionRow } from '../sessions/session-row.tsx';
import { clock } from '../state/clock.ts';
import { isComplete, overviewError, sessions, useSessions } from '../state/overview.ts';
import { replaceAddress, search, toNew, toTable } from '../state/route.ts';
import { Failure } from '../ui/requests/failure.tsx';
import { Link } from '../ui/text/link.tsx';
import '../styles/sessions.css';

/** Number of rows that the table shows at first. *Show more* adds the same number of rows. */
const ROWS = 100;

/** The page with a table of all sessions. The filter and the order are part of its address. */
export function SessionsPage() {
  useSessions();
  const shown = useSignal(ROWS);
  const filter = filterFrom(search.value);
  const change = (part: Partial<TableFilter>): void => {
    replaceAddress(`${toTable()}${queryOf({ ...filter, ...part })}`);
    shown.value = ROWS;
  };
  const all = sessions.value;
  const chosen = filterSessions(all ?? [], filter, clock.value);
  return (
    <div class="sessions-page">
      <header class="page-head">
        <h1>Sessions</h1>
        <Link class="button primary" to={toNew()}>
          New session
        </Link>
      </header>
      <Failure error={overviewError.value} />
      <FilterBar filter={filter} counts={countsFor(all ?? [], filter, clock.value)} onChange={change} />
      <p class="muted" role="status">
        {all === null
          ? 'Loading…'
          : `${chosen.length} of ${all.length} sessions${isComplete.value ? '' : ', more are loading…'}`}
      </p>
      {all !== null && chosen.length === 0 && isComplete.value && (
        <p class="empty">{all.length === 0 ? 'No session yet.' : 'No session fits the filter.'}</p>
      )}
      {chosen.length > 0 && (
        <table class="sessions-table">
          <Heads filter={filter} onChange={change} />
          <tbody>
            {chosen.slice(0, shown.value).map((session) => (
              <SessionRow key={session.session_id} session={session} />
            ))}
          </tbody>
        </table>
      )}
      {chosen.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += ROWS;
          }}
        >
          {`Show ${Math.min(ROWS, chosen.length - shown.value)} more`}
        </button>
      )}
    </div>
  );
}

interface HeadsProps {
  readonly filter: TableFilter;
  readonly onChange: (part: Partial<TableFilter>) => void;
}

const opposite = (order: TableFilter['order']): TableFilter['order'] => (order === 'up' ? 'down' : 'up');

/** The column headings. A click on a heading sorts by its column. A second click reverses the order. */
function Heads({ filter: { sort, order }, onChange }: HeadsProps) {
  return (
    <thead>
      <tr>
        {COLUMNS.map((column) => {
          const isSorted = column === sort;
          return (
            <th
              key={column}
              scope="col"
              aria-sort={isSorted ? (order === 'up' ? 'ascending' : 'descending') : undefined}
            >
              <button
                type="button"
                class="quiet"
                onClick={() => onChange({ sort: column, order: isSorted ? opposite(order) : FIRST_ORDER[column] })}
              >
                {COLUMN_TITLES[column]}
                <span aria-hidden="true">{isSorted ? (order === 'up' ? '\u00a0↑' : '\u00a0↓') : ''}</span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
