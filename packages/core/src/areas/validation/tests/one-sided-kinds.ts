import { BUILDERS } from '../../../kernel/roles.ts';
import type { ContractRule } from '../rule.ts';

export const oneSidedKinds: ContractRule = {
  reads: 'contract',
  code: 'ONE_SIDED_KINDS',
  severity: 'warning',
  explanation: 'A test must name kinds of evidence for both builders or for neither.',
  hint: 'Name kinds of evidence for the other builder too; name manual if that builder cannot observe the system.',

  *check({ tests }) {
    for (const [at, { id, evidence_policy }] of tests.entries()) {
      const { per_agent_kinds: kinds, min_items = 1 } = evidence_policy ?? {};
      const unnamed = BUILDERS.filter((builder) => (kinds?.[builder] ?? []).length === 0);
      if (kinds && unnamed.length === 1)
        yield {
          pointer: `/tests/${at}/evidence_policy/per_agent_kinds`,
          message: `Test ${id} names no kinds for ${unnamed[0]}, which must still give evidence: at least ${min_items} of any kind.`,
        };
    }
  },
};
