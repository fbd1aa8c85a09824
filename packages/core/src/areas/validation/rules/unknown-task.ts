import { idsOf, referencesIn, unknownAmong } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const unknownTask: ContractRule = {
  reads: 'contract',
  code: 'UNKNOWN_TASK',
  severity: 'error',
  explanation: 'A task that waits for one that does not exist can never begin.',
  hint: 'Name a task of this contract, or take the id out of depends_on.',

  check: ({ tasks }) => unknownAmong(referencesIn('tasks', tasks, 'depends_on'), idsOf(tasks), 'task of this contract'),
};
