import { idsOf, referencesIn, unknownAmong } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const unknownTest: ContractRule = {
  reads: 'contract',
  code: 'UNKNOWN_TEST',
  severity: 'error',
  explanation: 'Each test in depends_on must be in the contract.',
  hint: 'Name a test of this contract, or remove the id from depends_on.',

  check: ({ tests }) => unknownAmong(referencesIn('tests', tests, 'depends_on'), idsOf(tests), 'test of this contract'),
};
