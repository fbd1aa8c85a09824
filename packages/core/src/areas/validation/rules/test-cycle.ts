import { cyclesIn } from '../cycles.ts';
import type { ContractRule } from '../rule.ts';

export const testCycle: ContractRule = {
  reads: 'contract',
  code: 'TEST_CYCLE',
  severity: 'error',
  explanation: 'A circle of tests that wait for each other has no beginning.',
  hint: 'Take out of depends_on what is not needed, or split one of the tests.',

  check: ({ tests }) => cyclesIn('tests', tests),
};
