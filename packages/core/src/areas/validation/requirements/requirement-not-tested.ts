import type { ContractRule } from '../rule.ts';

export const requirementNotTested: ContractRule = {
  reads: 'contract',
  code: 'REQUIREMENT_NOT_TESTED',
  severity: 'warning',
  explanation: 'A test must name each requirement that a task names.',
  hint: 'Add a test that shows that the requirement is met. If no test can show it, map the requirement to a decision, task or gate in the preflight; this warning then remains, but blocks nothing.',

  *check({ tasks, tests }, { requirementIds }) {
    const built = new Set(tasks.flatMap(({ requirements }) => requirements));
    const tested = new Set(tests.flatMap(({ requirements }) => requirements));
    for (const id of requirementIds)
      if (built.has(id) && !tested.has(id)) yield { pointer: '/tests', message: `No test names requirement ${id}.` };
  },
};
