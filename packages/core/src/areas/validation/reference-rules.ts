import { memoizeBy } from '../../kernel/maps.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import type { Contract } from '../document/contract.ts';
import { faultAt, type Place, textsOf } from './nodes.ts';
import {
  type CitedDecision,
  type ContractRule,
  type DecisionRule,
  type Fault,
  type Issue,
  MAX_ISSUES,
  type RuleFacts,
} from './rule.ts';

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

/** Rules that read where the decisions stand. Their result is computed at each read. */
export const DECISION_RULES: readonly DecisionRule[] = [
  {
    code: 'UNKNOWN_DECISION',
    severity: 'error',
    explanation: 'Each decision that the contract names must exist in the session.',
    hint: 'Use the decision_ids of list_decisions.',

    *check(decisionIds, decisions) {
      for (const [at, id] of decisionIds.entries())
        if (decisions.statusOf(id) === undefined)
          yield { pointer: `/decisions/${at}`, message: `There is no decision ${id} in this session.` };
    },
  },
  {
    code: 'DECISION_NOT_RESOLVED',
    severity: 'error',
    explanation: 'Each decision named in the contract must be RESOLVED: accepted by both builders.',
    hint: 'Let both builders accept the decision. If it was superseded, name the decision that superseded it. Or remove its id.',

    *check(decisionIds, decisions) {
      for (const [at, id] of decisionIds.entries()) {
        const status = decisions.statusOf(id);
        if (status !== undefined && status !== 'RESOLVED')
          yield { pointer: `/decisions/${at}`, message: `Decision ${id} is ${status}.` };
      }
    },
  },
  {
    code: 'RESOLVED_DECISION_OMITTED',
    severity: 'error',
    explanation: 'The member decisions must name each RESOLVED decision.',
    hint: 'Add the decision_id to the member decisions, and make the contract follow the position of the decision.',

    *check(decisionIds, { resolved }) {
      const named = new Set(decisionIds);
      for (const id of resolved)
        if (!named.has(id))
          yield {
            pointer: '/decisions',
            message: `Decision ${id} is RESOLVED, but missing from the member decisions.`,
          };
    },
  },
  {
    code: 'INACTIVE_DECISION_CITED',
    severity: 'warning',
    explanation: 'No text may cite a SUPERSEDED, WITHDRAWN or REJECTED decision.',
    hint: 'Cite the decision that holds now, and check that the text still agrees with it.',

    *check(_decisionIds, decisions, cited) {
      for (const { id, pointer } of cited) {
        const status = decisions.statusOf(id);
        if (status === undefined || status === 'PROPOSED' || status === 'RESOLVED') continue;
        const replacement = decisions.replacementOf(id);
        const now = replacement === undefined ? '' : `; ${replacement} replaced it`;
        yield { pointer, message: `This text cites decision ${id}, which is ${status}${now}.` };
      }
    },
  },
  {
    code: 'AGENDA_TOPIC_OPEN',
    severity: 'warning',
    ofAgenda: true,
    explanation: 'A decision of the contract must settle each topic of the agenda.',
    hint: 'Propose a decision with exactly this topic, let both builders accept it, and name it in decisions. If it is not to be settled, tell the owner why.',

    *check(decisionIds, { topics }) {
      const named = new Set(decisionIds);
      for (const { topic, decision_id } of topics)
        if (decision_id === null || !named.has(decision_id))
          yield {
            pointer: '/decisions',
            message: `No decision of the contract settles the topic ${quotedName(topic, 200)} of the agenda.`,
          };
    },
  },
];

/**
 * The rule that texts of the contract do not repeat positions of decisions. A position never changes, so the result of
 * the rule can be stored with the revision.
 */
export const DECISION_REPEATED: RuleFacts = {
  code: 'DECISION_REPEATED',
  severity: 'warning',
  explanation: 'No text of more than 300 characters may repeat the position of a decision word by word.',
  hint: "Name the decision's id in the text instead of its position: the Markdown of the contract and the handoffs print each decided text once.",
};

/** Minimum length of a text of the contract that is compared with the positions of decisions, in characters. */
const TEXT_CHARS = 300;
/**
 * Minimum length of the position of a decision that is compared with the contract, in characters. A contract may repeat
 * a shorter position by chance.
 */
const POSITION_CHARS = 120;
/**
 * Maximum number of comparisons for each contract. Many positions with the same beginning would otherwise take seconds.
 */
const MAX_COMPARISONS = 2_000;

export interface Position {
  readonly decision_id: string;
  readonly position: string;
}

/**
 * The warnings of DECISION_REPEATED: at most one for each text and decision, and at most {@link MAX_ISSUES} in all. Any
 * white space counts as one blank. Memoized by the ids of the decisions, because a position never changes.
 */
export const repeatedDecisions = memoizeBy(
  (contract: Contract, decided: readonly Position[]): readonly Issue[] => {
    const byHead = headsOf(decided);
    const issues: Issue[] = [];
    let comparisons = 0;
    for (const { text, place } of longTextsOf(contract)) {
      const found = new Set<string>();
      for (const { index } of text.matchAll(WORD_START))
        for (const { decision_id, position } of byHead.get(text.slice(index, index + POSITION_CHARS)) ?? []) {
          if (issues.length === MAX_ISSUES || comparisons === MAX_COMPARISONS) return issues;
          comparisons += 1;
          if (found.has(decision_id) || !text.startsWith(position, index)) continue;
          found.add(decision_id);
          issues.push(issueOf(decision_id, place));
        }
    }
    return issues;
  },
  (decided) => decided.map(({ decision_id }) => decision_id).join(' '),
);

const WORD_START = /(?<![\p{L}\p{N}])\S/gu;

function issueOf(decision_id: string, place: Place | null): Issue {
  const message = `This text repeats the position of decision ${decision_id} word by word. Name ${decision_id} instead.`;
  const { code, severity, hint } = DECISION_REPEATED;
  return { code, severity, pointer: faultAt(place, message).pointer, message, hint };
}

/** The positions of at least POSITION_CHARS characters, grouped by their first characters. */
function headsOf(decided: readonly Position[]): ReadonlyMap<string, readonly Position[]> {
  const byHead = new Map<string, Position[]>();
  for (const { decision_id, position: written } of decided) {
    const position = withSingleBlanks(written);
    if (position.length < POSITION_CHARS) continue;
    const head = position.slice(0, POSITION_CHARS);
    const same = byHead.get(head) ?? [];
    same.push({ decision_id, position });
    byHead.set(head, same);
  }
  return byHead;
}

const longTextsOf = (contract: Contract) =>
  textsOf(contract)
    .filter(({ text, kind }) => text.length > TEXT_CHARS && kind !== 'name')
    .map(({ text, place }) => ({ text: withSingleBlanks(text), place }))
    .filter(({ text }) => text.length > TEXT_CHARS);

const withSingleBlanks = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

const DECISION_ID = /(?<![\w-])d_[1-9]\d{0,5}(?![\w-])/g;
/** Maximum number of citations that are kept with a revision. */
const MAX_CITED = 200;

export const decisionIdsIn = (text: string): string[] => text.match(DECISION_ID) ?? [];

/**
 * The decisions that texts of the contract cite. The contract's list of decisions, and values and names of members
 * inside payloads and JSON Schemas, do not count as texts.
 */
export const citedDecisions = memoizeBy((contract: Contract): readonly CitedDecision[] => {
  const cited = new Map<string, string>();
  for (const { text, kind, place } of textsOf(contract)) {
    if (kind === 'data' || kind === 'name' || place?.within?.part === 'decisions') continue;
    for (const id of decisionIdsIn(text))
      if (!cited.has(id) && cited.size < MAX_CITED) cited.set(id, faultAt(place, '').pointer);
  }
  return [...cited].map(([id, pointer]) => ({ id, pointer }));
});
