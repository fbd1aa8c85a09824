import type { ContractRule } from '../rule.ts';

export const rolloutWithoutSteps: ContractRule = {
  reads: 'contract',
  code: 'ROLLOUT_WITHOUT_STEPS',
  severity: 'warning',
  explanation: 'The rollout must list its steps.',
  hint: 'List the steps in their order, each with who takes it.',

  *check({ rollout }) {
    if (rollout.steps.length === 0) yield { pointer: '/rollout/steps', message: 'The rollout has no steps.' };
  },
};
