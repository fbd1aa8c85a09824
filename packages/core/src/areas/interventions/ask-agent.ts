import { z } from 'zod';
import { BUILDERS } from '../../kernel/roles.ts';
import { storedEvent } from '../catalog.ts';
import { revisionOf } from '../contract/rules.ts';
import { decisionOf } from '../decisions/rules.ts';
import { EvidenceItems } from '../evidence.ts';
import { DecisionId, RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { openedDraft } from './opening.ts';
import { Priority } from './record.ts';
import { interventionOf } from './rules.ts';
import { InterventionText, ModeratorQuestionResult, Targets, viewInterventionChange } from './schemas.ts';

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

  decide(state, { targets = [...BUILDERS], blocking = false, ...input }) {
    const { related_decision_id, related_revision_id } = input;
    if (related_decision_id !== undefined) decisionOf(state.decisions, related_decision_id);
    if (related_revision_id !== undefined) revisionOf(state, related_revision_id);
    return [openedDraft(state.interventions, { ...input, type: 'QUESTION', targets, blocking })];
  },

  reply({ interventions }, _input, { events }) {
    const { intervention_id } = storedEvent(events, 'intervention.opened').data;
    return { question: viewInterventionChange(interventionOf(interventions, intervention_id), 'moderator') };
  },
});
