import type { ContractRule } from '../rule.ts';

export const singleExecutor: ContractRule = {
  reads: 'contract',
  code: 'SINGLE_EXECUTOR',
  severity: 'warning',
  explanation: 'Each builder executes a test, so that both see the system work.',
  hint: 'Let each builder run the tests that begin on its side.',

  *check({ tests }) {
    const [first, ...others] = tests;
    if (first && others.length > 0 && others.every(({ executor }) => executor === first.executor))
      yield { pointer: '/tests', message: `${first.executor} executes all tests.` };
  },
};
