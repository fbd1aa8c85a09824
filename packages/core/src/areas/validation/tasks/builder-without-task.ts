import { BUILDERS } from '../../../kernel/roles.ts';
import type { ContractRule } from '../rule.ts';

export const builderWithoutTask: ContractRule = {
  reads: 'contract',
  code: 'BUILDER_WITHOUT_TASK',
  severity: 'warning',
  explanation: 'Each builder must have a task.',
  hint: 'Assign at least one task to this builder.',

  *check({ tasks }) {
    for (const builder of BUILDERS)
      if (!tasks.some(({ assignee }) => assignee === builder))
        yield { pointer: '/tasks', message: `No task is assigned to ${builder}.` };
  },
};
