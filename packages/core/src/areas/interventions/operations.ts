import { z } from 'zod';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { checkAnswerDraft, openActionsOf } from '../actions/rules.ts';
import { storedEvent } from '../catalog.ts';
import { revisionOf } from '../contract/rules.ts';
import { DecisionId, EvidenceItems, InterventionId, LongText, RevisionId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { decisionOf } from '../planning/decisions.ts';
import { RECOMMENDATIONS, WITHDRAWALS } from './events.ts';
import {
  adviceDrafts,
  InterventionChangeResult,
  InterventionIdInput,
  InterventionText,
  interventionOf,
  interventionSeqs,
  interventionTo,
  isNewAcknowledgement,
  isNewResponse,
  ModeratorQuestionResult,
  openedDraft,
  openInterventionsTo,
  ownIntervention,
  refuseClosed,
  Targets,
  viewIntervention,
  viewInterventionChange,
  viewWholeIntervention,
} from './rules.ts';
import { InterventionView, Priority, RecommendationView } from './state.ts';

/** Spec 4.2. A directive blocks certification until each target has acknowledged or answered it. */
export const ackIntervention = defineOperation({
  name: 'ack_intervention',
  summary: 'Acknowledge a question or directive.',
  rest: 'POST interventions/ack',
  access: { builder: 'answer_question' },
  worksWhilePaused: true,
  input: InterventionIdInput,
  output: InterventionChangeResult,
  errors: ['UNKNOWN_RECORD', 'INTERVENTION_CLOSED'],

  decide({ interventions }, { intervention_id }, { role }) {
    const addressed = interventionTo(interventions, intervention_id, role);
    return isNewAcknowledgement(addressed) ? [{ kind: 'intervention.acknowledged', data: { intervention_id } }] : [];
  },

  reply: ({ interventions }, { intervention_id }, { caller: { role } }) => ({
    intervention: viewInterventionChange(interventionTo(interventions, intervention_id, role).intervention, role),
  }),
});

export const answerIntervention = defineOperation({
  name: 'answer_intervention',
  summary: 'Answer a question or directive; uses no turn.',
  rest: 'POST interventions/answer',
  access: { builder: 'answer_question' },
  worksWhilePaused: true,
  input: z.strictObject({
    intervention_id: InterventionId,
    text: LongText.describe('The other agent reads it too.'),
  }),
  otherNames: { answer: 'text' },
  output: InterventionChangeResult,
  errors: ['UNKNOWN_RECORD', 'INTERVENTION_CLOSED', 'ALREADY_ANSWERED'],

  decide({ interventions, actions }, { intervention_id, text }, { role }) {
    const addressed = interventionTo(interventions, intervention_id, role);
    if (!isNewResponse(addressed, text)) return [];
    const answered = { kind: 'intervention.answered' as const, data: { intervention_id, text } };
    return addressed.intervention.from === 'moderator'
      ? [answered, checkAnswerDraft(actions, intervention_id, role)]
      : [answered];
  },

  reply: ({ interventions }, { intervention_id }, { caller: { role } }) => ({
    intervention: viewInterventionChange(interventionTo(interventions, intervention_id, role).intervention, role),
  }),
});

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

/** Spec 4.3. If the answer cannot contain all questions, the unanswered questions come first. */
export const getModeratorQuestions = defineOperation({
  name: 'get_moderator_questions',
  summary: 'List your questions and the answers, or one question in full by intervention_id.',
  rest: 'GET moderator/questions/list',
  access: { moderator: true },
  input: z.strictObject({ intervention_id: InterventionId.optional(), ...PAGE_INPUT }),
  output: z.strictObject({ questions: z.array(InterventionView), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reads({ interventions }, { intervention_id = '' }) {
    const intervention = lookUp(interventions.all, intervention_id);
    return intervention ? interventionSeqs(intervention) : [];
  },

  reply({ interventions }, { intervention_id, after }, { loaded }) {
    if (intervention_id !== undefined) {
      const question = ownIntervention(interventions, intervention_id, 'moderator');
      return { questions: [viewWholeIntervention(question, 'moderator', loaded)] };
    }
    const standing = new Set(interventions.standing);
    const { shown, leftOut } = listed({
      records: valuesOf(interventions.all).filter(({ from }) => from === 'moderator'),
      view: (question) => viewIntervention(question, 'moderator'),
      isCurrent: ({ intervention_id }) => standing.has(intervention_id),
      idOf: ({ intervention_id }) => intervention_id,
      tool: 'get_moderator_questions',
      after,
    });
    return { questions: shown, ...leftOut };
  },
});

/**
 * Spec 4.2. Lists the interventions that the caller has not answered. An answered intervention can be read by its id.
 */
export const listInterventions = defineOperation({
  name: 'list_interventions',
  summary: 'List questions and directives to you, or one in full by intervention_id.',
  rest: 'GET interventions',
  access: { builder: 'read_session_state' },
  input: z.strictObject({ intervention_id: InterventionId.optional(), ...PAGE_INPUT }),
  output: z.strictObject({ interventions: z.array(InterventionView), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reads({ interventions }, { intervention_id = '' }) {
    const intervention = lookUp(interventions.all, intervention_id);
    return intervention ? interventionSeqs(intervention) : [];
  },

  reply({ interventions }, { intervention_id, after }, { caller: { role }, loaded }) {
    if (intervention_id !== undefined) {
      const { intervention } = interventionTo(interventions, intervention_id, role);
      return { interventions: [viewWholeIntervention(intervention, role, loaded)] };
    }
    const { shown, leftOut } = listed({
      records: openInterventionsTo(interventions, role),
      view: (open) => viewIntervention(open, role),
      idOf: ({ intervention_id }) => intervention_id,
      tool: 'list_interventions',
      after,
    });
    return { interventions: shown, ...leftOut };
  },
});

/** Spec 4.3. Withdraws a question of the moderator, and completes the open CHECK_ANSWER actions about this question. */
export const withdrawQuestion = defineOperation({
  name: 'withdraw_question',
  summary: 'Withdraw a question that a builder has not answered.',
  rest: 'POST moderator/withdraw',
  access: { moderator: true },
  worksWhilePaused: 'moderator',
  input: z.strictObject({
    intervention_id: InterventionId,
    outcome: z.enum(WITHDRAWALS).optional().describe('Default: WITHDRAWN.'),
  }),
  output: ModeratorQuestionResult,
  errors: ['UNKNOWN_RECORD', 'INTERVENTION_CLOSED'],

  decide({ interventions, actions }, { intervention_id, outcome = 'WITHDRAWN' }) {
    refuseClosed(ownIntervention(interventions, intervention_id, 'moderator'));
    const checks = openActionsOf(actions, 'moderator').filter(
      ({ type, about }) => type === 'CHECK_ANSWER' && about?.id === intervention_id,
    );
    return [
      { kind: 'intervention.withdrawn', data: { intervention_id, outcome } },
      ...checks.map(({ action_id }) => ({
        kind: 'action.fulfilled' as const,
        data: { action_id, due_to: 'moderator' as const },
        actor: 'system' as const,
      })),
    ];
  },

  reply: ({ interventions }, { intervention_id }) => ({
    question: viewInterventionChange(ownIntervention(interventions, intervention_id, 'moderator'), 'moderator'),
  }),
});

/**
 * Spec 4.3. Builders do not see a recommendation. If advice on the deployment was requested, the recommendation closes
 * that request.
 */
export const recommendToOwner = defineOperation({
  name: 'recommend_to_owner',
  summary: 'Give advice; only the owner reads it.',
  rest: 'POST moderator/recommend',
  access: { moderator: 'recommend' },
  worksWhilePaused: 'moderator',
  input: z.strictObject({
    recommendation: z.enum(RECOMMENDATIONS),
    text: LongText.describe('What you advise, and why.'),
    targets: Targets.optional().describe('Default: both builders.'),
  }),
  output: z.strictObject({ recommendation: RecommendationView.pick({ recommendation_id: true, made_at: true }) }),
  errors: ['LIMIT_EXCEEDED'],

  decide(state, { recommendation, text, targets = [...BUILDERS] }) {
    const recommendation_id = `rec_${state.recommendations.all.size + 1}`;
    return [
      { kind: 'recommendation.made', data: { recommendation_id, recommendation, text, targets } },
      ...adviceDrafts(state),
    ];
  },

  reply(_state, _input, { events }) {
    const { at, data } = storedEvent(events, 'recommendation.made');
    return { recommendation: { recommendation_id: data.recommendation_id, made_at: at } };
  },
});
