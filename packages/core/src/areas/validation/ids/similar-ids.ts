import type { ContractRule } from '../rule.ts';
import { identified } from './identified.ts';

export const similarIds: ContractRule = {
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
};
