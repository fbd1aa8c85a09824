import type { ContractRule } from '../rule.ts';

export const requirementNotCovered: ContractRule = {
  reads: 'contract',
  code: 'REQUIREMENT_NOT_COVERED',
  severity: 'error',
  explanation: 'A task or a test must name each requirement.',
  hint: 'Name the requirement in the task that implements it and in the test that shows that it is met.',

  *check({ tasks, tests }, { requirementIds }) {
    const covered = new Set([...tasks, ...tests].flatMap(({ requirements }) => requirements));
    for (const id of requirementIds)
      if (!covered.has(id)) yield { pointer: '/tasks', message: `No task and no test names requirement ${id}.` };
  },
};
