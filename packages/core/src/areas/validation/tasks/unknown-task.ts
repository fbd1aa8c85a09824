import { idsOf, referencesIn, unknownAmong } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const unknownTask: ContractRule = {
  reads: 'contract',
  code: 'UNKNOWN_TASK',
  severity: 'error',
  explanation: 'Each task in depends_on must be in the contract.',
  hint: 'Name a task of this contract, or remove the id from depends_on.',

  check: ({ tasks }) => unknownAmong(referencesIn('tasks', tasks, 'depends_on'), idsOf(tasks), 'task of this contract'),
};
