import { z } from 'zod';
import { FindingView } from '../../findings/record.ts';
import { findingOf, openFinding } from '../../findings/rules.ts';
import { FindingReasonInput, viewFinding } from '../../findings/schemas.ts';
import { findingGrounds, holdGrounds, moderatorGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { releasedWithFinding } from '../../holds/rules.ts';
import { defineDecision } from '../../operation.ts';
import { requireOpen } from '../rules.ts';

/**
 * Domain 3. Closes a finding in place of the agent that raised it. Everybody in the session can read the owner's
 * reason.
 */
export const overrideFinding = defineDecision({
  name: 'overrideFinding',
  summary: 'Close a finding in place of the agent that raised it, with your reason.',
  access: { owner: 'approver' },
  input: z.strictObject({ ...FindingReasonInput.shape, ...SEEN }),
  output: z.strictObject({ finding: FindingView }),
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'FINDING_CLOSED'],

  said: ({ input: { finding_id } }) => `${finding_id} is closed with your reason, and no longer blocks anything.`,

  restsOn: (state, { finding_id }) => [
    ...findingGrounds(state, (one) => one.finding_id === finding_id),
    ...holdGrounds(state, finding_id),
    ...moderatorGrounds(state),
  ],

  decide(state, { finding_id, reason }) {
    requireOpen(state, 'overrideFinding');
    openFinding(state.findings, finding_id);
    return [
      { kind: 'finding.overridden', data: { finding_id, reason } },
      ...releasedWithFinding(state.holds, finding_id),
    ];
  },

  reply: (state, { finding_id }) => ({ finding: viewFinding(state, findingOf(state.findings, finding_id)) }),
});
