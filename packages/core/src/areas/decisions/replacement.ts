import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { DecisionId } from '../fields.ts';
import { type Decision, DecisionView } from './record.ts';
import { viewDecision, viewWholeDecision } from './schemas.ts';
import { type Decisions, replacementOf } from './state.ts';

export const OwnerDecisionView = z.strictObject({
  ...DecisionView.shape,
  superseded_by: DecisionId.optional().describe('The decision that replaced this decision.'),
});
documented.add(OwnerDecisionView, { id: 'OwnerDecision' });

export function viewOwnerDecision(decisions: Decisions, decision: Decision): z.output<typeof OwnerDecisionView> {
  const replacement = replacementOf(decisions, decision);
  return { ...viewDecision(decision), ...(replacement && { superseded_by: replacement.decision_id }) };
}

/**
 * The owner's view of a decision, with its position and its evidence even if the decision is closed.
 * @param loaded the events of `decisionSeqs`
 */
export const viewWholeOwnerDecision = (
  decisions: Decisions,
  decision: Decision,
  loaded: readonly LoggedEvent[],
): z.output<typeof OwnerDecisionView> => ({
  ...viewOwnerDecision(decisions, decision),
  ...viewWholeDecision(decision, loaded),
});
