import type { ContractRule } from '../rule.ts';

export const taskWithoutDeliverables: ContractRule = {
  reads: 'contract',
  code: 'TASK_WITHOUT_DELIVERABLES',
  severity: 'warning',
  explanation: 'Each task must list its deliverables.',
  hint: 'List what the task produces: routes, modules, migrations, documents.',

  *check({ tasks }) {
    for (const [at, { id, deliverables }] of tasks.entries())
      if (deliverables.length === 0)
        yield { pointer: `/tasks/${at}/deliverables`, message: `Task ${id} has no deliverables.` };
  },
};
