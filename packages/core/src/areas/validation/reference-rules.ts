import type { Contract } from '../document/contract.ts';
import type { ContractRule, Fault } from './rule.ts';

/** An id in a list of references, and the place of that id. */
interface Reference {
  readonly pointer: string;
  /** Id of the record that contains the reference. */
  readonly from: string;
  readonly to: string;
}

type Holder<M extends string> = Readonly<Record<M, readonly string[]>> & { readonly id: string };

/** Yields the references in a member, such as `depends_on`, of each record of a list, such as `tasks`. */
function* referencesIn<M extends string>(list: string, records: readonly Holder<M>[], member: M): Generator<Reference> {
  for (const [at, record] of records.entries())
    for (const [index, to] of record[member].entries())
      yield { pointer: `/${list}/${at}/${member}/${index}`, from: record.id, to };
}

/**
 * Yields a fault for each reference to an id that does not exist.
 * @param what the kind of record that the id must name, such as "task of this contract"
 */
function* unknownAmong(references: Iterable<Reference>, known: ReadonlySet<string>, what: string): Generator<Fault> {
  for (const { pointer, from, to } of references)
    if (!known.has(to)) yield { pointer, message: `${from} names ${to}, which is no ${what}.` };
}

const idsOf = (records: readonly { readonly id: string }[]): Set<string> => new Set(records.map(({ id }) => id));

interface NameList {
  readonly pointer: string;
  readonly names: readonly string[];
}

function* listsOf({ decisions, interfaces, tasks, tests, safety_conditions }: Contract): Generator<NameList> {
  yield { pointer: '/decisions', names: decisions };
  for (const [at, { consumers }] of interfaces.entries())
    yield { pointer: `/interfaces/${at}/consumers`, names: consumers };
  for (const [list, records] of [
    ['tasks', tasks],
    ['tests', tests],
  ] as const)
    for (const [at, record] of records.entries())
      for (const member of ['requirements', 'interfaces', 'depends_on'] as const)
        yield { pointer: `/${list}/${at}/${member}`, names: record[member] };
  for (const [at, { covered_by }] of safety_conditions.entries())
    yield { pointer: `/safety_conditions/${at}/covered_by`, names: covered_by };
}

function* repeatedNames(pointer: string, names: readonly string[]): Generator<Fault> {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (seen.has(name)) yield { pointer: `${pointer}/${index}`, message: 'This id is already in the list.' };
    seen.add(name);
  }
}

/** Rules about the records that other records name. */
export const REFERENCE_RULES: readonly ContractRule[] = [
  {
    code: 'UNKNOWN_REQUIREMENT',
    severity: 'error',
    explanation: 'Each requirement that the contract names must exist in the session.',
    hint: 'Use the requirement_ids that read_task shows, spelled in the same way.',

    *check({ tasks, tests }, { requirementIds }) {
      const known = new Set(requirementIds);
      const what = 'requirement of the mission';
      yield* unknownAmong(referencesIn('tasks', tasks, 'requirements'), known, what);
      yield* unknownAmong(referencesIn('tests', tests, 'requirements'), known, what);
    },
  },
  {
    code: 'UNKNOWN_INTERFACE',
    severity: 'error',
    explanation: 'Each interface that a task or test names must be in the contract.',
    hint: 'Name an interface of this contract, or add the missing interface to the contract.',

    *check({ tasks, tests, interfaces }) {
      const known = idsOf(interfaces);
      const what = 'interface of this contract';
      yield* unknownAmong(referencesIn('tasks', tasks, 'interfaces'), known, what);
      yield* unknownAmong(referencesIn('tests', tests, 'interfaces'), known, what);
    },
  },
  {
    code: 'UNKNOWN_TASK',
    severity: 'error',
    explanation: 'Each task in depends_on must be in the contract.',
    hint: 'Name a task of this contract, or remove the id from depends_on.',

    check: ({ tasks }) =>
      unknownAmong(referencesIn('tasks', tasks, 'depends_on'), idsOf(tasks), 'task of this contract'),
  },
  {
    code: 'UNKNOWN_TEST',
    severity: 'error',
    explanation: 'Each test in depends_on must be in the contract.',
    hint: 'Name a test of this contract, or remove the id from depends_on.',

    check: ({ tests }) =>
      unknownAmong(referencesIn('tests', tests, 'depends_on'), idsOf(tests), 'test of this contract'),
  },
  {
    code: 'UNKNOWN_COVER',
    severity: 'error',
    explanation: 'Each id in covered_by must name a task, test or gate of the contract.',
    hint: 'Name tasks, tests or gates of this contract in covered_by.',

    check({ safety_conditions, tasks, tests, gates }) {
      const known = idsOf([...tasks, ...tests, ...gates]);
      const references = referencesIn('safety_conditions', safety_conditions, 'covered_by');
      return unknownAmong(references, known, 'task, test or gate of this contract');
    },
  },
  {
    code: 'REPEATED_REFERENCE',
    severity: 'warning',
    explanation: 'A list must name an id only once; a repetition is often a typo.',
    hint: 'Remove the repeated id, or write the id that was meant.',

    *check(contract) {
      for (const { pointer, names } of listsOf(contract)) yield* repeatedNames(pointer, names);
    },
  },
];

interface Dependent {
  readonly id: string;
  readonly depends_on: readonly string[];
}

/** A record on the path from the start of the search to the current record. */
interface Step {
  readonly at: number;
  next: number;
}

interface Search {
  readonly list: string;
  readonly records: readonly Dependent[];
  readonly indexes: ReadonlyMap<string, number>;
  readonly seen: Set<number>;
}

/**
 * Finds the references that close a cycle. A loop instead of recursion, because a chain of references can be long
 * enough to exhaust the stack.
 */
export function* cyclesIn(list: string, records: readonly Dependent[]): Generator<Fault> {
  const indexes = new Map(Array.from(records, ({ id }, at): [string, number] => [id, at]).toReversed());
  const search: Search = { list, records, indexes, seen: new Set() };
  for (const at of records.keys()) if (!search.seen.has(at)) yield* closingFrom(search, at);
}

function* closingFrom({ list, records, indexes, seen }: Search, start: number): Generator<Fault> {
  const path: Step[] = [{ at: start, next: 0 }];
  const places = new Map([[start, 0]]);
  seen.add(start);
  for (let step = path.at(-1); step; step = path.at(-1)) {
    const reference = records[step.at]?.depends_on[step.next];
    if (reference === undefined) {
      places.delete(step.at);
      path.pop();
      continue;
    }
    const pointer = `/${list}/${step.at}/depends_on/${step.next}`;
    step.next += 1;
    const to = indexes.get(reference);
    const place = to === undefined ? undefined : places.get(to);
    if (place !== undefined) {
      yield { pointer, message: `This dependency closes a cycle: ${circleText(path, place, records)}.` };
    } else if (to !== undefined && !seen.has(to)) {
      seen.add(to);
      places.set(to, path.length);
      path.push({ at: to, next: 0 });
    }
  }
}

const SHOWN_STEPS = 5;

function circleText(path: readonly Step[], from: number, records: readonly Dependent[]): string {
  const length = path.length - from;
  const shown = path.slice(from, from + Math.min(length, SHOWN_STEPS)).map(({ at }) => records[at]?.id ?? '');
  const rest = length > SHOWN_STEPS ? [`${length - SHOWN_STEPS} more`] : [];
  return [...shown, ...rest, shown[0] ?? ''].join(' → ');
}

const LISTS = ['interfaces', 'data_models', 'tasks', 'tests', 'gates', 'risks', 'safety_conditions'] as const;

/** A record with an id, and its place in the contract: the index `at` in `list`. */
interface Identified {
  readonly list: (typeof LISTS)[number];
  readonly at: number;
  readonly id: string;
}

function* identified(contract: Contract): Generator<Identified> {
  for (const list of LISTS) for (const [at, { id }] of contract[list].entries()) yield { list, at, id };
}

type ListName = 'tasks' | 'tests' | 'gates' | 'interfaces' | 'data_models' | 'risks' | 'safety_conditions';

function* repeatedIds(contract: Contract, lists: readonly ListName[]): Generator<Fault> {
  const firstOf = new Map<string, string>();
  for (const list of lists) {
    for (const [at, { id }] of contract[list].entries()) {
      const first = firstOf.get(id);
      if (first === undefined) firstOf.set(id, `/${list}/${at}`);
      else yield { pointer: `/${list}/${at}/id`, message: `The id ${id} already belongs to ${first}.` };
    }
  }
}

const COVERING = new Set(['tasks', 'tests', 'gates']);

/** Rules about the ids of records. */
export const ID_RULES: readonly ContractRule[] = [
  {
    code: 'DUPLICATE_ID',
    severity: 'error',
    explanation: 'Ids must be unique; tasks, tests and gates share one set of ids.',
    hint: 'Give one of the two records another id, and correct the references to it.',

    *check(contract) {
      yield* repeatedIds(contract, ['tasks', 'tests', 'gates']);
      for (const list of ['interfaces', 'data_models', 'risks', 'safety_conditions'] as const)
        yield* repeatedIds(contract, [list]);
    },
  },
  {
    code: 'ID_USED_BY_TWO_KINDS',
    severity: 'warning',
    explanation: 'Records of different kinds must have different ids.',
    hint: 'Give one of the two records another id, for example with a letter for its kind.',

    *check(contract) {
      const firstOf = new Map<string, string>();
      for (const { list, at, id } of identified(contract)) {
        const kind = COVERING.has(list) ? 'tasks, tests or gates' : list;
        const first = firstOf.get(id);
        if (first === undefined) firstOf.set(id, kind);
        else if (first !== kind)
          yield { pointer: `/${list}/${at}/id`, message: `The id ${id} is also the id of a record in ${first}.` };
      }
    },
  },
  {
    code: 'SIMILAR_IDS',
    severity: 'warning',
    explanation: 'No two ids may differ only in capitals.',
    hint: 'Ids compare exactly. If both ids mean the same record, write them in the same way; otherwise give one record another id.',

    *check(contract) {
      const firstOf = new Map<string, string>();
      for (const { list, at, id } of identified(contract)) {
        const key = id.toLowerCase();
        const first = firstOf.get(key);
        if (first === undefined) firstOf.set(key, id);
        else if (first !== id)
          yield { pointer: `/${list}/${at}/id`, message: `The ids ${id} and ${first} differ only in capitals.` };
      }
    },
  },
];
