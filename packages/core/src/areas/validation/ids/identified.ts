import type { Contract } from '../../document/contract.ts';

const LISTS = ['interfaces', 'data_models', 'tasks', 'tests', 'gates', 'risks', 'safety_conditions'] as const;

/** A record with an id, and its place in the contract: the index `at` in `list`. */
export interface Identified {
  readonly list: (typeof LISTS)[number];
  readonly at: number;
  readonly id: string;
}

export function* identified(contract: Contract): Generator<Identified> {
  for (const list of LISTS) for (const [at, { id }] of contract[list].entries()) yield { list, at, id };
}
