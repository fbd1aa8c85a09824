import type { ContractRule } from '../rule.ts';
import { identified } from './identified.ts';

const COVERING = new Set(['tasks', 'tests', 'gates']);

export const idUsedByTwoKinds: ContractRule = {
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
};
