import type { ContractRule } from '../rule.ts';

export const taskWithoutPurpose: ContractRule = {
  reads: 'contract',
  code: 'TASK_WITHOUT_PURPOSE',
  severity: 'warning',
  explanation: 'Each task must name a requirement or an interface.',
  hint: 'Name the requirement or the interface that the task serves, or remove the task.',

  *check({ tasks }) {
    for (const [at, { id, requirements, interfaces }] of tasks.entries())
      if (requirements.length === 0 && interfaces.length === 0)
        yield { pointer: `/tasks/${at}`, message: `Task ${id} names neither a requirement nor an interface.` };
  },
};
