import { idsOf, referencesIn, unknownAmong } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const unknownInterface: ContractRule = {
  reads: 'contract',
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
};
