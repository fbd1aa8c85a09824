import { z } from 'zod';
import { BUILDERS } from '../../kernel/roles.ts';
import { storedEvent } from '../catalog.ts';
import { revisionOf } from '../contract/rules.ts';
import { decisionOf } from '../decisions/rules.ts';
import { EvidenceItems } from '../evidence.ts';
import { DecisionId, RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { openedDraft } from './opening.ts';
import { interventionOf } from './rules.ts';
import { InterventionText, ModeratorQuestionResult, Priority, Targets, viewInterventionChange } from './schemas.ts';

/** Spec 4.3 and domain 10. Stores a question of the moderator as an intervention, like a question of the owner. */
export const askAgent = defineOperation({
  name: 'ask_agent',
  summary: 'Ask builders a question; they answer with answer_intervention.',
  rest: 'POST moderator/questions',
  access: { moderator: 'ask' },
  input: z.strictObject({
    text: InterventionText,
    targets: Targets.optional().describe('Default: both builders.'),
    priority: Priority.optional().describe('Default: NORMAL.'),
    blocking: z.boolean().optional().describe('Default: false.'),
    evidence: EvidenceItems.optional(),
    related_decision_id: DecisionId.optional(),
    related_revision_id: RevisionId.optional(),
  }),
  output: ModeratorQuestionResult,
  errors: ['UNKNOWN_RECORD', 'LIMIT_EXCEEDED'],

  decide(state, input) {
    const { text, targets = BUILDERS, priority, blocking = false, evidence } = input;
    const { related_decision_id: relatedDecisionId, related_revision_id: relatedRevisionId } = input;
    if (relatedDecisionId !== undefined) decisionOf(state.decisions, relatedDecisionId);
    if (relatedRevisionId !== undefined) revisionOf(state, relatedRevisionId);
    const related = { evidence, relatedDecisionId, relatedRevisionId };
    const question = { type: 'QUESTION' as const, text, targets, priority, isBlocking: blocking, ...related };
    return [openedDraft(state.interventions, question)];
  },

  reply({ interventions }, _input, { events }) {
    const { intervention_id } = storedEvent(events, 'intervention.opened').data;
    return { question: viewInterventionChange(interventionOf(interventions, intervention_id), 'moderator') };
  },
});
