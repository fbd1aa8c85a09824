import type { ContractRule } from '../rule.ts';

export const taskWithoutDoneWhen: ContractRule = {
  reads: 'contract',
  code: 'TASK_WITHOUT_DONE_WHEN',
  severity: 'warning',
  explanation: 'Every task has a condition in done_when that can be checked.',
  hint: 'Say in done_when what can be seen or run once the task is done.',

  *check({ tasks }) {
    for (const [at, { id, done_when }] of tasks.entries())
      if (done_when.length === 0)
        yield { pointer: `/tasks/${at}/done_when`, message: `Task ${id} does not say when it is done.` };
  },
};
