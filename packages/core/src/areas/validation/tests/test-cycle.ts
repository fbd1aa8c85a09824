import { cyclesIn } from '../cycles.ts';
import type { ContractRule } from '../rule.ts';

export const testCycle: ContractRule = {
  reads: 'contract',
  code: 'TEST_CYCLE',
  severity: 'error',
  explanation: 'The dependencies of tests must form no cycle.',
  hint: 'From depends_on remove an id that is not needed, or split one of the tests.',

  check: ({ tests }) => cyclesIn('tests', tests),
};
