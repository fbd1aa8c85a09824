import { z } from 'zod';
import { DecisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { acceptanceDrafts, activeDecision, decisionOf } from './rules.ts';
import { DecisionResult, viewDecisionChange } from './schemas.ts';

/**
 * Spec 3. Both builders must accept a decision, also the builder that proposed it. The second acceptance resolves the
 * decision.
 */
export const acceptDecision = defineOperation({
  name: 'accept_decision',
  summary: 'Accept a decision; both agents must accept it.',
  rest: 'POST decisions/accept',
  access: { builder: 'submit_position' },
  phases: ['PLANNING', 'CONTRACT'],
  input: z.strictObject({ decision_id: DecisionId }),
  output: DecisionResult,
  errors: ['UNKNOWN_RECORD', 'DECISION_CLOSED'],

  decide: ({ decisions }, { decision_id }, { role: by }) =>
    acceptanceDrafts(activeDecision(decisions, decision_id), { by, inTurn: false }),

  reply: ({ decisions }, { decision_id }) => viewDecisionChange(decisionOf(decisions, decision_id)),
});
