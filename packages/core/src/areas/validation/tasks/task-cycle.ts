import { cyclesIn } from '../cycles.ts';
import type { ContractRule } from '../rule.ts';

export const taskCycle: ContractRule = {
  reads: 'contract',
  code: 'TASK_CYCLE',
  severity: 'error',
  explanation: 'The dependencies of tasks must form no cycle.',
  hint: 'From depends_on remove an id that is not needed, or split one of the tasks.',

  check: ({ tasks }) => cyclesIn('tasks', tasks),
};
