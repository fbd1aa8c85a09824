import { Choice, Field } from '../ui/controls/field.tsx';
import { COLUMN_TITLES, COLUMNS, type Column, NO_FILTER, type TableFilter } from './filter.ts';

interface FilterBarProps {
  readonly filter: TableFilter;
  readonly onChange: (part: Partial<TableFilter>) => void;
}

const any = (name: string) => ['', name] as const;
const PHASES = ['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'].map((phase) => [phase, phase] as const);
const STATUSES = ['ACTIVE', 'DRAFT', 'PAUSED', 'ENDED'].map((status) => [status, status] as const);
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

export function FilterBar({ filter, onChange }: FilterBarProps) {
  const { phase, status, mover, idle, words } = filter;
  const isUntouched = [phase, status, mover, idle, words].every((value) => value === '');
  const idleOptions =
    IDLE.some(([minutes]) => minutes === idle) || idle === '' ? IDLE : [...IDLE, [idle, `${idle} min`] as const];
  return (
    <search class="table-filter" aria-label="Filter the sessions">
      <Field label="Words in the title" value={words} onInput={(value) => onChange({ words: value })} />
      <Choice
        label="Phase"
        value={phase}
        options={[any('every phase'), ...PHASES]}
        onChange={(value) => onChange({ phase: value })}
      />
      <Choice
        label="Status"
        value={status}
        options={[any('every status'), ...STATUSES]}
        onChange={(value) => onChange({ status: value })}
      />
      <Choice
        label="Whose move"
        value={mover}
        options={[any('anybody'), ...MOVERS]}
        onChange={(value) => onChange({ mover: value })}
      />
      <Choice
        label="No event for"
        value={idle}
        options={[any('any time'), ...idleOptions]}
        onChange={(value) => onChange({ idle: value })}
      />
      <div class="only-narrow">
        <Choice
          label="Sorted by"
          value={`${filter.sort} ${filter.order}`}
          options={ORDERS}
          onChange={(value) => onChange(ORDER_OF.get(value) ?? {})}
        />
      </div>
      <button
        type="button"
        disabled={isUntouched}
        onClick={() => onChange({ ...NO_FILTER, sort: filter.sort, order: filter.order })}
      >
        Clear
      </button>
    </search>
  );
}
