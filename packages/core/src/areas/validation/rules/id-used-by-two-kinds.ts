import { identified } from '../identified.ts';
import type { ContractRule } from '../rule.ts';

const COVERING = new Set(['tasks', 'tests', 'gates']);

export const idUsedByTwoKinds: ContractRule = {
  reads: 'contract',
  code: 'ID_USED_BY_TWO_KINDS',
  severity: 'warning',
  explanation: 'No id is used by two kinds of records, so that a message that names an id is clear.',
  hint: 'Give one of the two another id, for example with a letter for its kind.',

  *check(contract) {
    const firstOf = new Map<string, string>();
    for (const { list, at, id } of identified(contract)) {
      const kind = COVERING.has(list) ? 'tasks, tests or gates' : list;
      const first = firstOf.get(id);
      if (first === undefined) firstOf.set(id, kind);
      else if (first !== kind)
        yield { pointer: `/${list}/${at}/id`, message: `The id ${id} is used among ${first} too.` };
    }
  },
};
