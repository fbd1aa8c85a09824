import { countToSettle, isIdle, lastWroteAt, longestWait, whoseMove } from '../../../src/text/inbox.ts';
import type { Glance } from '../api/answers.ts';

export const COLUMNS = ['title', 'phase', 'mover', 'since', 'activity', 'waits'] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_TITLES: Readonly<Record<Column, string>> = {
  title: 'Title',
  phase: 'Phase',
  mover: 'Whose move',
  since: 'Since',
  activity: 'Agents wrote',
  waits: 'Waits for you',
};

/**
 * For each column: the order of the rows after the first click on its heading. For `since`, the sessions that waited
 * longest come first; for `activity`, the sessions whose agents wrote last; for `waits`, the sessions with the most tasks.
 */
export const FIRST_ORDER: Readonly<Record<Column, TableFilter['order']>> = {
  title: 'up',
  phase: 'up',
  mover: 'up',
  since: 'up',
  activity: 'down',
  waits: 'down',
};

/** The filter and the order of the table of sessions. An empty member does not filter. */
export interface TableFilter {
  readonly phase: string;
  readonly status: string;
  /** The role that must act next; `nobody` for sessions in which no role must act. */
  readonly mover: string;
  /**
   * Minimum number of minutes since the last event of an agent, as in `isIdle`. Selects only ACTIVE sessions unless
   * `status` is given.
   */
  readonly idle: string;
  /** `open` for sessions with open defects. */
  readonly defects: string;
  /** Words that the title must contain, in any order. */
  readonly words: string;
  readonly sort: Column;
  readonly order: 'up' | 'down';
}

export const NO_FILTER: TableFilter = {
  phase: '',
  status: '',
  mover: '',
  idle: '',
  defects: '',
  words: '',
  sort: 'activity',
  order: 'down',
};

/**
 * Reads a filter from the query of an address. A missing member does not filter. An unknown order, or an `idle` that is
 * not a number, gets its default.
 */
export function filterFrom(query: string): TableFilter {
  const given = new URLSearchParams(query);
  const text = (member: string): string => given.get(member) ?? '';
  return {
    phase: text('phase'),
    status: text('status'),
    mover: text('mover'),
    idle: /^\d{1,6}$/.test(text('idle')) ? text('idle') : '',
    defects: text('defects') === 'open' ? 'open' : '',
    words: text('words'),
    sort: COLUMNS.find((known) => known === text('sort')) ?? NO_FILTER.sort,
    order: text('order') === 'up' ? 'up' : 'down',
  };
}

/** Makes a query: empty, or `?` with the members that differ from those of `defaults`. */
export function queryFor<F extends object>(filter: F, defaults: F): string {
  const usual = new Map<string, unknown>(Object.entries(defaults));
  const text = new URLSearchParams(
    Object.entries(filter).filter(([member, value]) => value !== usual.get(member)),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

/** Makes the query for a filter: empty, or `?` with the members that differ from their defaults. */
export const queryOf = (filter: TableFilter): string => queryFor(filter, NO_FILTER);

/**
 * Returns the sessions that match a filter, in the filter's order. In an order by time, active sessions come first and
 * ended sessions last.
 *
 * @param now milliseconds since the epoch, for `idle`
 */
export function filterSessions(sessions: readonly Glance[], filter: TableFilter, now: number): readonly Glance[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = sessions.filter(
    (session) =>
      (filter.phase === '' || session.phase === filter.phase) &&
      (filter.status === '' || session.status === filter.status) &&
      (filter.mover === '' || hasMover(session, filter.mover)) &&
      (filter.idle === '' || isIdleFor(session, filter, now)) &&
      (filter.defects === '' || (session.status !== 'ENDED' && session.open_defects > 0)) &&
      words.every((word) => session.title.toLowerCase().includes(word)),
  );
  const sign = filter.order === 'up' ? 1 : -1;
  const rank = VALUES[filter.sort];
  const isTime = filter.sort === 'since' || filter.sort === 'activity';
  return chosen
    .map((session) => ({ session, value: rank(session), group: isTime ? groupOf(session) : 0 }))
    .sort((one, other) => compareLast(one, other) || sign * compare(one.value ?? '', other.value ?? ''))
    .map(({ session }) => session);
}

const isIdleFor = (session: Glance, { idle, status }: TableFilter, now: number): boolean =>
  (status !== '' || session.status === 'ACTIVE') && isIdle(session, Number(idle) * 60_000, now);

const groupOf = ({ status }: Glance): number => (status === 'ACTIVE' ? 0 : status === 'ENDED' ? 2 : 1);

/** A value of a member of the filter, and the number of sessions that this value selects with the rest of the filter. */
export interface Count {
  readonly value: string;
  readonly count: number;
}

/**
 * The number of sessions in each phase, with each status, and with open defects. Each number applies the filter without
 * its member that is counted: the numbers for phases ignore the chosen phase.
 */
export function countsFor(sessions: readonly Glance[], filter: TableFilter, now: number) {
  const by = (member: 'phase' | 'status', values: readonly string[]): Count[] => {
    const others = filterSessions(sessions, { ...filter, [member]: '' }, now);
    return values.map((value) => ({ value, count: others.filter((one) => one[member] === value).length }));
  };
  return {
    phase: by('phase', PHASES),
    status: by('status', STATUSES),
    defects: [{ value: 'open', count: filterSessions(sessions, { ...filter, defects: 'open' }, now).length }],
  };
}

function hasMover(session: Glance, mover: string): boolean {
  const movers = whoseMove(session);
  return mover === 'nobody' ? movers.length === 0 : movers.some((role) => role === mover);
}

const STATUSES = ['ACTIVE', 'DRAFT', 'PAUSED', 'ENDED'];
const PHASES = ['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'];

/** The sort value of a session in a column. Undefined if the session has no value in this column. */
const VALUES: Readonly<Record<Column, (session: Glance) => string | number | undefined>> = {
  title: ({ title }) => title.toLowerCase(),
  phase: ({ phase }) => PHASES.indexOf(phase),
  mover: (session) => whoseMove(session).join(),
  since: longestWait,
  activity: lastWroteAt,
  waits: countToSettle,
};

interface Ranked {
  readonly value: string | number | undefined;
  /** Sessions of a lower group come first. */
  readonly group: number;
}

/** Compares by group, then puts sessions without a value last in both directions. Returns 0 if neither differs. */
const compareLast = (one: Ranked, other: Ranked): number =>
  one.group - other.group || Number(one.value === undefined) - Number(other.value === undefined);

const compare = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);
