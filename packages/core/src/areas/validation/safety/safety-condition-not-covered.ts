import type { ContractRule } from '../rule.ts';

export const safetyConditionNotCovered: ContractRule = {
  reads: 'contract',
  code: 'SAFETY_CONDITION_NOT_COVERED',
  severity: 'error',
  explanation: 'Each safety condition must name a task, test or gate in covered_by.',
  hint: 'In covered_by, name the tasks, tests or gates that ensure the condition.',

  *check({ safety_conditions }) {
    for (const [at, { id, covered_by }] of safety_conditions.entries())
      if (covered_by.length === 0)
        yield {
          pointer: `/safety_conditions/${at}/covered_by`,
          message: `Safety condition ${id} names nothing in covered_by.`,
        };
  },
};
