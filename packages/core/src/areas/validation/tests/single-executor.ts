import type { ContractRule } from '../rule.ts';

export const singleExecutor: ContractRule = {
  reads: 'contract',
  code: 'SINGLE_EXECUTOR',
  severity: 'warning',
  explanation: 'Each builder must execute at least one test.',
  hint: 'Make each builder the executor of the tests that begin on its side.',

  *check({ tests }) {
    const [first, ...others] = tests;
    if (first && others.length > 0 && others.every(({ executor }) => executor === first.executor))
      yield {
        pointer: '/tests',
        message: `${first.executor} is the executor of every test; the other builder executes none.`,
      };
  },
};
