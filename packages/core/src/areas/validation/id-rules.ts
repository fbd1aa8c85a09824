import type { Contract } from '../document/contract.ts';
import type { Fault, Rule } from './rule.ts';

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

function* repeatedIn(contract: Contract, lists: readonly ListName[]): Generator<Fault> {
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
export const ID_RULES: readonly Rule[] = [
  {
    reads: 'contract',
    code: 'DUPLICATE_ID',
    severity: 'error',
    explanation: 'Ids must be unique; tasks, tests and gates share one set of ids.',
    hint: 'Give one of the two records another id, and correct the references to it.',

    *check(contract) {
      yield* repeatedIn(contract, ['tasks', 'tests', 'gates']);
      for (const list of ['interfaces', 'data_models', 'risks', 'safety_conditions'] as const)
        yield* repeatedIn(contract, [list]);
    },
  },
  {
    reads: 'contract',
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
    reads: 'contract',
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
