import type { ContractRule } from '../rule.ts';

export const taskWithoutDoneWhen: ContractRule = {
  reads: 'contract',
  code: 'TASK_WITHOUT_DONE_WHEN',
  severity: 'warning',
  explanation: 'Each task must have a condition in done_when that can be checked.',
  hint: 'In done_when, say what somebody can see or run when the task is done.',

  *check({ tasks }) {
    for (const [at, { id, done_when }] of tasks.entries())
      if (done_when.length === 0)
        yield { pointer: `/tasks/${at}/done_when`, message: `Task ${id} does not say when it is done.` };
  },
};
