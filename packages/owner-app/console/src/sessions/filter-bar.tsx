import { Choice, Field } from '../ui/controls/field.tsx';
import { FilterFold } from '../ui/controls/filter-fold.tsx';
import {
  COLUMN_TITLES,
  COLUMNS,
  type Column,
  type Count,
  type countsFor,
  NO_FILTER,
  type TableFilter,
} from './filter.ts';

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
  return (
    <FilterFold label="Filter the sessions" title="Filter and sort" count={count}>
      <Field label="Words in the title" value={words} onInput={(value) => onChange({ words: value })} />
      <Choice
        label="Whose move"
        value={mover}
        options={[any('anybody'), ...MOVERS]}
        onChange={(value) => onChange({ mover: value })}
      />
      <Choice
        label="Agents wrote nothing for"
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
      <div class="counts">
        <Counts
          label={status === '' ? 'Phase, any status' : 'Phase'}
          chosen={phase}
          counts={counts.phase}
          onChange={(value) => onChange({ phase: value })}
        />
        <Counts
          label="Status"
          chosen={status}
          counts={counts.status}
          onChange={(value) => onChange({ status: value })}
        />
        <Counts
          label="Defects"
          chosen={defects}
          counts={counts.defects}
          onChange={(value) => onChange({ defects: value })}
        />
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
  readonly chosen: string;
  readonly counts: readonly Count[];
  readonly onChange: (value: string) => void;
}

/** A button for each value that occurs, with the number of its sessions. A press on the chosen value removes the filter. */
function Counts({ label, chosen, counts, onChange }: CountsProps) {
  const shown = counts.filter(({ value, count }) => count > 0 || value === chosen);
  return shown.length === 0 ? null : (
    <fieldset>
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
