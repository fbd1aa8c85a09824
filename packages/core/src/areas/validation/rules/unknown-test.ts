import { idsOf, referencesIn, unknownAmong } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const unknownTest: ContractRule = {
  reads: 'contract',
  code: 'UNKNOWN_TEST',
  severity: 'error',
  explanation: 'A test that waits for one that does not exist can never be run.',
  hint: 'Name a test of this contract, or take the id out of depends_on.',

  check: ({ tests }) => unknownAmong(referencesIn('tests', tests, 'depends_on'), idsOf(tests), 'test of this contract'),
};
