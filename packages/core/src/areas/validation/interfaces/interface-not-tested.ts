import type { ContractRule } from '../rule.ts';
import { isShared } from './interfaces.ts';

export const interfaceNotTested: ContractRule = {
  reads: 'contract',
  code: 'INTERFACE_NOT_TESTED',
  severity: 'warning',
  explanation: 'A test must name each shared interface.',
  hint: 'Add a test that names the interface and runs through both services.',

  *check({ interfaces, tests }) {
    const tested = new Set(tests.flatMap((test) => test.interfaces));
    for (const [at, item] of interfaces.entries())
      if (isShared(item) && !tested.has(item.id))
        yield { pointer: `/interfaces/${at}`, message: `No test names interface ${item.id}, which both sides use.` };
  },
};
