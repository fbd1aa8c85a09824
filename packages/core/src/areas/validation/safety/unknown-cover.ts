import { idsOf, referencesIn, unknownAmong } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const unknownCover: ContractRule = {
  reads: 'contract',
  code: 'UNKNOWN_COVER',
  severity: 'error',
  explanation: 'Each id in covered_by must name a task, test or gate of the contract.',
  hint: 'Name tasks, tests or gates of this contract in covered_by.',

  check({ safety_conditions, tasks, tests, gates }) {
    const known = idsOf([...tasks, ...tests, ...gates]);
    const references = referencesIn('safety_conditions', safety_conditions, 'covered_by');
    return unknownAmong(references, known, 'task, test or gate of this contract');
  },
};
