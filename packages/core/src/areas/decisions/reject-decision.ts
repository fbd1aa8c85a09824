import { fail } from '../../kernel/errors.ts';
import { defineOperation } from '../operation.ts';
import { activeDecision, decisionOf } from './rules.ts';
import { DecisionReasonInput, DecisionResult, viewDecision } from './schemas.ts';

/** Spec 3. Also rejects a resolved decision: a builder can withdraw its acceptance until the contract is approved. */
export const rejectDecision = defineOperation({
  name: 'reject_decision',
  summary: 'Reject a decision that the other agent proposed, with the reason.',
  rest: 'POST decisions/reject',
  access: { builder: 'submit_position' },
  phases: ['PLANNING', 'CONTRACT'],
  input: DecisionReasonInput,
  output: DecisionResult,
  errors: ['UNKNOWN_RECORD', 'OWN_PROPOSAL', 'DECISION_CLOSED'],

  decide({ decisions }, { decision_id, reason }, { role }) {
    const { proposedBy } = decisionOf(decisions, decision_id);
    if (proposedBy === role) fail('OWN_PROPOSAL', 'You proposed this decision yourself.');
    activeDecision(decisions, decision_id);
    return [{ kind: 'decision.rejected', data: { decision_id, reason } }];
  },

  reply: ({ decisions }, { decision_id }) => ({ decision: viewDecision(decisionOf(decisions, decision_id)) }),
});
