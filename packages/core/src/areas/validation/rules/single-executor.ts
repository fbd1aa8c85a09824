import type { ContractRule } from '../rule.ts';

export const singleExecutor: ContractRule = {
  reads: 'contract',
  code: 'SINGLE_EXECUTOR',
  severity: 'warning',
  explanation: 'When one builder runs every test, the other never sees the system from its own side.',
  hint: 'Let each builder run the tests that begin on its side.',

  *check({ tests }) {
    const [first, ...others] = tests;
    if (first && others.length > 0 && others.every(({ executor }) => executor === first.executor))
      yield { pointer: '/tests', message: `${first.executor} executes all tests.` };
  },
};
