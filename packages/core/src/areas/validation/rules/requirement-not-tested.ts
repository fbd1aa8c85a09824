import type { ContractRule } from '../rule.ts';

export const requirementNotTested: ContractRule = {
  reads: 'contract',
  code: 'REQUIREMENT_NOT_TESTED',
  severity: 'warning',
  explanation: 'Every requirement of the session is named by a test.',
  hint: 'Add a test that shows it, or say in the preflight what else does.',

  *check({ tasks, tests }, { requirementIds }) {
    const built = new Set(tasks.flatMap(({ requirements }) => requirements));
    const tested = new Set(tests.flatMap(({ requirements }) => requirements));
    for (const id of requirementIds)
      if (built.has(id) && !tested.has(id)) yield { pointer: '/tests', message: `No test names requirement ${id}.` };
  },
};
