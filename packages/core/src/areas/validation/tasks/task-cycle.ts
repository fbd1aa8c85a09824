import { cyclesIn } from '../cycles.ts';
import type { ContractRule } from '../rule.ts';

export const taskCycle: ContractRule = {
  reads: 'contract',
  code: 'TASK_CYCLE',
  severity: 'error',
  explanation: 'The tasks in depends_on form no cycle.',
  hint: 'Remove an id that is not needed from depends_on, or split one of the tasks.',

  check: ({ tasks }) => cyclesIn('tasks', tasks),
};
