import '../styles/sessions.css';
import { plural } from '@parley/core/text';
import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { hindranceOf, IDLE_MEANING, presenceText } from '../../../src/text/agent.ts';
import {
  absentRoles,
  countToSettle,
  isHeldUp,
  lastWroteAt,
  moverTimes,
  nextSteps,
  nobodyText,
  stepText,
} from '../../../src/text/inbox.ts';
import { recordPath } from '../../../src/text/record-address.ts';
import { visibleLine } from '../../../src/text/visible.ts';
import type { Glance, GroupView } from '../api/answers.ts';
import { usePageTitle } from '../state/page-title.ts';
import { replaceAddress, search, toGroup, toNew, toSession, toTable } from '../state/route.ts';
import { isComplete, overviewError, sessions, useSessions } from '../state/sessions.ts';
import { Choice, Field, FilterFold } from '../ui/controls/form.tsx';
import { Failure, useCall } from '../ui/requests.tsx';
import { Link } from '../ui/text/linked-text.tsx';
import { Ago, Badge, clock, SafeText, statusTone } from '../ui/text/shown.tsx';
import { agentIn } from './agents.ts';
import {
  COLUMN_TITLES,
  COLUMNS,
  type Column,
  type Count,
  countsFor,
  FIRST_ORDER,
  filterFrom,
  filterSessions,
  NO_FILTER,
  queryOf,
  type TableFilter,
} from './sessions-filter.ts';

interface FilterBarProps {
  readonly filter: TableFilter;
  readonly counts: ReturnType<typeof countsFor>;
  readonly onChange: (part: Partial<TableFilter>) => void;
}

const any = (name: string) => ['', name] as const;
const MOVERS = [
  ['owner', 'You'],
  ['agent_a', 'agent_a'],
  ['agent_b', 'agent_b'],
  ['moderator', 'Moderator'],
  ['nobody', 'Nobody'],
] as const;
const IDLE = [
  ['15', '15 min'],
  ['60', '1 hour'],
  ['480', '8 hours'],
  ['1440', '1 day'],
] as const;

/** For each column: labels of the ascending order and of the descending order. */
const ENDS: Readonly<Record<Column, readonly [up: string, down: string]>> = {
  title: ['A to Z', 'Z to A'],
  phase: ['earliest first', 'latest first'],
  mover: ['A to Z', 'Z to A'],
  since: ['longest first', 'shortest first'],
  activity: ['oldest first', 'newest first'],
  waits: ['fewest first', 'most first'],
};

const ORDER_OF: ReadonlyMap<string, Pick<TableFilter, 'sort' | 'order'>> = new Map(
  COLUMNS.flatMap((sort) => (['up', 'down'] as const).map((order) => [`${sort} ${order}`, { sort, order }] as const)),
);

/** The options of the field that sorts the table on a narrow page, where the table has no column headings to click. */
const ORDERS = [...ORDER_OF].map(
  ([value, { sort, order }]) => [value, `${COLUMN_TITLES[sort]}, ${ENDS[sort][order === 'up' ? 0 : 1]}`] as const,
);

export function FilterBar({ filter, counts, onChange }: FilterBarProps) {
  const { phase, status, mover, idle, defects, words } = filter;
  const count = [phase, status, mover, idle, defects, words].filter((value) => value !== '').length;
  const idleOptions =
    IDLE.some(([minutes]) => minutes === idle) || idle === '' ? IDLE : [...IDLE, [idle, `${idle} min`] as const];
  const field = (member: keyof TableFilter) => ({
    value: filter[member],
    onChange: (value: string) => onChange({ [member]: value }),
  });
  return (
    <FilterFold label="Filter the sessions" title="Filter and sort" count={count}>
      <Field label="Words in the title" {...field('words')} />
      <Choice label="Whose move" options={[any('anybody'), ...MOVERS]} {...field('mover')} />
      <Choice label="Agents wrote nothing for" options={[any('any time'), ...idleOptions]} {...field('idle')} />
      <div class="only-narrow">
        <Choice
          label="Sorted by"
          value={`${filter.sort} ${filter.order}`}
          options={ORDERS}
          onChange={(value) => onChange(ORDER_OF.get(value) ?? {})}
        />
      </div>
      <div class="row counts">
        <Counts label={status === '' ? 'Phase, any status' : 'Phase'} counts={counts.phase} {...field('phase')} />
        <Counts label="Status" counts={counts.status} {...field('status')} />
        <Counts label="Defects" counts={counts.defects} {...field('defects')} />
      </div>
      <button
        type="button"
        disabled={count === 0}
        onClick={() => onChange({ ...NO_FILTER, sort: filter.sort, order: filter.order })}
      >
        Clear
      </button>
    </FilterFold>
  );
}

interface CountsProps {
  readonly label: string;
  /** The value that the table is filtered by. Empty if it is not filtered by this member. */
  readonly value: string;
  readonly counts: readonly Count[];
  readonly onChange: (value: string) => void;
}

/** A button for each value that occurs, with the number of its sessions. A press on the chosen value removes the filter. */
function Counts({ label, value: chosen, counts, onChange }: CountsProps) {
  const shown = counts.filter(({ value, count }) => count > 0 || value === chosen);
  return shown.length === 0 ? null : (
    <fieldset class="row">
      <legend>{label}</legend>
      {shown.map(({ value, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChange(value === chosen ? '' : value)}
        >
          {value} <b>{count}</b>
        </button>
      ))}
    </fieldset>
  );
}

/** Maximum number of roles that a row names. */
const MAX_MOVERS = 2;

export function SessionRow({ session }: { readonly session: Glance }) {
  const { session_id, title, group, status, phase, fault } = session;
  const count = countToSettle(session);
  const absent = absentRoles(session).length;
  return (
    <tr class="session-item">
      <th scope="row">
        <Link to={toSession(session_id)} text={title} />
        {group !== undefined && <Link to={toGroup(group)} class="group" text={group} />}
      </th>
      <td data-label="Phase">
        <span class="phase">{phase}</span> {status !== 'ACTIVE' && <Badge tone={statusTone(status)}>{status}</Badge>}
      </td>
      <td data-label="Move">{fault?.text ?? <Movers session={session} />}</td>
      <td data-label="Since" class="since">
        <ul class="movers">
          {moverTimes(session)
            .slice(0, MAX_MOVERS)
            .map(({ role, since }) => (
              <li key={role}>{since === undefined ? '' : <Ago at={since} />}</li>
            ))}
        </ul>
      </td>
      <td data-label="Agents wrote">
        <Ago at={lastWroteAt(session)} />
      </td>
      <td data-label="Waits">
        {count > 0 && <Badge tone="warn">{`${count} for you`}</Badge>}
        {count === 0 && status === 'ACTIVE' && absent > 0 && (
          <Badge>{absent === 1 ? 'absent agent' : `${absent} absent agents`}</Badge>
        )}
      </td>
    </tr>
  );
}

/**
 * Shows the roles that must act next, each on at most two lines: the role, for an absent or idle agent a mark, and what
 * the role must do. The mark comes first, because the end of a long line is cut. The tooltip has the whole text.
 */
export function Movers({ session }: { readonly session: Glance }) {
  const { agents, status } = session;
  const nameOf = (role: string): string => agentIn(session, role);
  const steps = nextSteps(session, nameOf, 1);
  if (steps.length === 0) return <>{nobodyText(status === 'ENDED' ? '' : status)}</>;
  const times = new Map(moverTimes(session).map(({ role, since }) => [role, since]));
  const reported = absentRoles(session);
  const more = steps.slice(MAX_MOVERS);
  return (
    <ul class="movers">
      {steps.slice(0, MAX_MOVERS).map(({ role, text }, index) => {
        const agent = agents.find((one) => one.role === role);
        const hindrance =
          status === 'ACTIVE' && agent ? hindranceOf(agent, clock.value, reported.includes(role)) : undefined;
        const presence = agent && hindrance ? presenceText(agent, clock.value) : '';
        const since = times.get(role);
        return (
          <li key={role} title={visibleLine([nameOf(role), presence, text].filter(Boolean).join(': '))}>
            {nameOf(role)}
            {hindrance && (
              <span
                class={isHeldUp(session, clock.value) ? 'absent' : 'muted'}
                title={hindrance === 'idle' ? IDLE_MEANING : undefined}
              >{` ${hindrance}`}</span>
            )}
            {since !== undefined && (
              <span class="narrow-since">
                {' '}
                <Ago at={since} />
              </span>
            )}
            {text !== '' && (
              <span class="step">
                {': '}
                <SafeText text={text} />
              </span>
            )}
            {index === MAX_MOVERS - 1 && more.length > 0 && <More steps={more} nameOf={nameOf} />}
          </li>
        );
      })}
    </ul>
  );
}

interface MoreProps {
  readonly steps: readonly { readonly role: string; readonly text: string }[];
  readonly nameOf: (role: string) => string;
}

/** The number of further roles that must act. The tooltip names them. */
const More = ({ steps, nameOf }: MoreProps) => (
  <span class="more" title={visibleLine(steps.map((step) => stepText(step, nameOf)).join('; '))}>
    {`+${steps.length} more`}
  </span>
);

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
    <div class="stack sessions-page">
      <header class="row page-head">
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

type GroupSession = GroupView['sessions'][number];

/** Milliseconds between two reads. An event of one session does not say in which group it is. */
const READ_MS = 15_000;

/** The page with the sessions of a group. The name of the group is part of its address. */
export function GroupPage() {
  const name = new URLSearchParams(search.value).get('name') ?? '';
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setVersion((before) => before + 1), READ_MS);
    return () => clearInterval(timer);
  }, []);
  const { value, error } = useCall('group', { name }, version);
  usePageTitle(`Group ${visibleLine(name)}`);
  const sessions = value?.sessions ?? [];
  const ready = sessions.filter(({ stops }) => stops.length === 0).length;
  return (
    <div class="stack">
      <header class="row page-head">
        <h1>
          Group <SafeText text={sessions[0]?.session.group ?? name} />
        </h1>
        {value && (
          <Link class="button" to={toNew(name)}>
            New session in this group
          </Link>
        )}
      </header>
      <Failure error={error} />
      <p class="muted" role="status">
        {value
          ? `${plural(sessions.length, 'session')}, ${ready === 1 ? '1 is' : `${ready} are`} certified or deployed.`
          : !error && 'Loading…'}
      </p>
      {sessions.map((one) => (
        <SessionCard key={one.session.session_id} of={one} />
      ))}
    </div>
  );
}

function SessionCard({
  of: { session, contract, certified, deployment_authorized, stops },
}: {
  readonly of: GroupSession;
}) {
  const { session_id, title, status, phase, fault } = session;
  return (
    <section class="card stack" aria-label={visibleLine(title)}>
      <h2>
        <Link to={toSession(session_id)} text={title} />
      </h2>
      <p class="facts">
        <span class="phase">{phase}</span>
        {status !== 'ACTIVE' && <Badge tone={statusTone(status)}>{status}</Badge>}
        {deployment_authorized ? (
          <Badge tone="good">deployment authorized</Badge>
        ) : (
          certified && <Badge tone="good">certified</Badge>
        )}
      </p>
      {fault ? <p>{fault.text}</p> : <Movers session={session} />}
      <p>
        {contract ? (
          <>
            <Link to={recordPath(session_id, contract.revision_id)}>Read the contract</Link>{' '}
            {`${contract.revision_id}, ${contract.status}`}
          </>
        ) : (
          'There is no contract yet.'
        )}
      </p>
      {stops.length > 0 && (
        <>
          <h3>What stops the release</h3>
          <ul class="bullets">
            {stops.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
