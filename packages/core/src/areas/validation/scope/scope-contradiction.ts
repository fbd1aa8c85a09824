import { nameKey } from '../../../kernel/name-key.ts';
import type { ContractRule } from '../rule.ts';

export const scopeContradiction: ContractRule = {
  reads: 'contract',
  code: 'SCOPE_CONTRADICTION',
  severity: 'error',
  explanation: 'Nothing may be both in scope and out of scope.',
  hint: 'Remove the line from one of the two lists.',

  *check({ scope }) {
    const inScope = new Set(scope.in.map(nameKey));
    for (const [at, line] of scope.out.entries())
      if (inScope.has(nameKey(line)))
        yield { pointer: `/scope/out/${at}`, message: 'This line is also listed in /scope/in.' };
  },
};
