import type { ContractRule } from '../rule.ts';

export const testWithoutPurpose: ContractRule = {
  reads: 'contract',
  code: 'TEST_WITHOUT_PURPOSE',
  severity: 'warning',
  explanation: 'Each test must name a requirement or an interface.',
  hint: 'Name the requirements that the test checks or the interfaces that it goes through.',

  *check({ tests }) {
    for (const [at, { id, requirements, interfaces }] of tests.entries())
      if (requirements.length === 0 && interfaces.length === 0)
        yield { pointer: `/tests/${at}`, message: `Test ${id} names neither a requirement nor an interface.` };
  },
};
