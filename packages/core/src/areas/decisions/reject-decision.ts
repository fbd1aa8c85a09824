import { defineOperation } from '../operation.ts';
import { decisionOf, rejectionDraft } from './rules.ts';
import { DecisionReasonInput, DecisionResult, viewDecisionChange } from './schemas.ts';

/** Spec 3. A builder can also reject a resolved decision that it has accepted, until the contract is approved. */
export const rejectDecision = defineOperation({
  name: 'reject_decision',
  summary: 'Reject a decision of the other agent.',
  rest: 'POST decisions/reject',
  access: { builder: 'submit_position' },
  phases: ['PLANNING', 'CONTRACT'],
  input: DecisionReasonInput,
  output: DecisionResult,
  errors: ['UNKNOWN_RECORD', 'OWN_PROPOSAL', 'DECISION_CLOSED'],

  decide: ({ decisions }, input, { role: by }) => [rejectionDraft(decisions, input, { by, inTurn: false })],

  reply: ({ decisions }, { decision_id }) => viewDecisionChange(decisionOf(decisions, decision_id)),
});
