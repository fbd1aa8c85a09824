import { cyclesIn } from '../cycles.ts';
import type { ContractRule } from '../rule.ts';

export const testCycle: ContractRule = {
  reads: 'contract',
  code: 'TEST_CYCLE',
  severity: 'error',
  explanation: 'The tests in depends_on form no cycle.',
  hint: 'Remove an id that is not needed from depends_on, or split one of the tests.',

  check: ({ tests }) => cyclesIn('tests', tests),
};
