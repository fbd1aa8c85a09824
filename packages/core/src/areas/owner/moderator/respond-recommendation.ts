import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { RecommendationId, text } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { OWNER_DECISIONS } from '../../recommendations/events.ts';
import { RecommendationResult, recommendationOf, viewRecommendation } from '../../recommendations/schemas.ts';
import { requireOpen } from '../rules.ts';

/**
 * Domain 3. Stores the owner's answer to a recommendation. To follow the advice, the owner makes the necessary calls.
 */
export const respondRecommendation = defineOperation({
  name: 'respondRecommendation',
  summary: 'Tell the moderator whether you follow its advice; this changes nothing else.',
  access: { owner: true },
  input: z.strictObject({
    recommendation_id: RecommendationId,
    decision: z.enum(OWNER_DECISIONS),
    note: text(2_000).optional().describe('A note to the moderator.'),
  }),
  output: RecommendationResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'ALREADY_ANSWERED'],

  said: ({ input: { recommendation_id, decision } }) =>
    `${recommendation_id} is ${decision === 'ACCEPT' ? 'accepted' : 'rejected'}. The moderator can read your answer. Nothing else changes.`,

  decide(state, { recommendation_id, decision, note }) {
    requireOpen(state, 'respondRecommendation');
    const { answer } = recommendationOf(state.recommendations, recommendation_id);
    if (answer?.decision === decision && answer.note === (note ?? null)) return [];
    if (answer)
      fail('ALREADY_ANSWERED', `You already answered recommendation ${recommendation_id}: ${answer.decision}.`, {
        recommendation_id,
      });
    return [{ kind: 'recommendation.answered', data: { recommendation_id, decision, note } }];
  },

  reply: ({ recommendations }, { recommendation_id }) => ({
    recommendation: viewRecommendation(recommendationOf(recommendations, recommendation_id)),
  }),
});
