import type { Contract } from '../../document/contract.ts';
import type { ContractRule, Fault } from '../rule.ts';

export const duplicateId: ContractRule = {
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
};

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
