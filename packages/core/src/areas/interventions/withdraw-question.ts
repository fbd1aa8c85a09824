import { z } from 'zod';
import { openActionsOf } from '../actions/rules.ts';
import { InterventionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { WITHDRAWALS } from './events.ts';
import { ownIntervention, refuseClosed } from './rules.ts';
import { ModeratorQuestionResult, viewInterventionChange } from './schemas.ts';

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
