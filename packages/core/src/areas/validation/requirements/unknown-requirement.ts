import { referencesIn, unknownAmong } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const unknownRequirement: ContractRule = {
  reads: 'contract',
  code: 'UNKNOWN_REQUIREMENT',
  severity: 'error',
  explanation: 'Each requirement that the contract names must exist in the session.',
  hint: 'Use the requirement_ids that read_task shows, spelled in the same way.',

  *check({ tasks, tests }, { requirementIds }) {
    const known = new Set(requirementIds);
    const what = 'requirement of the mission';
    yield* unknownAmong(referencesIn('tasks', tasks, 'requirements'), known, what);
    yield* unknownAmong(referencesIn('tests', tests, 'requirements'), known, what);
  },
};
