import { fail } from '../../kernel/errors.ts';
import { defineOperation } from '../operation.ts';
import { activeDecision, decisionOf } from './rules.ts';
import { DecisionReasonInput, DecisionResult, viewDecisionChange } from './schemas.ts';

/** Spec 3. Only the proposer can withdraw a decision. A decision that is already RESOLVED can be withdrawn too. */
export const withdrawDecision = defineOperation({
  name: 'withdraw_decision',
  summary: 'Withdraw your own decision.',
  rest: 'POST decisions/withdraw',
  access: { builder: 'submit_position' },
  phases: ['PLANNING', 'CONTRACT'],
  input: DecisionReasonInput,
  output: DecisionResult,
  errors: ['UNKNOWN_RECORD', 'NOT_PROPOSER', 'DECISION_CLOSED'],

  decide({ decisions }, { decision_id, reason }, { role }) {
    const { proposed_by } = decisionOf(decisions, decision_id);
    if (proposed_by !== role) fail('NOT_PROPOSER', 'Only the agent that proposed a decision can withdraw it.');
    activeDecision(decisions, decision_id);
    return [{ kind: 'decision.withdrawn', data: { decision_id, reason } }];
  },

  reply: ({ decisions }, { decision_id }) => viewDecisionChange(decisionOf(decisions, decision_id)),
});
