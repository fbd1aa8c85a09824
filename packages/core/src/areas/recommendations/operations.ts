import { z } from 'zod';
import { BUILDERS } from '../../kernel/roles.ts';
import { storedEvent } from '../catalog.ts';
import { LongText } from '../fields.ts';
import { Targets } from '../interventions/rules.ts';
import { defineOperation } from '../operation.ts';
import { RECOMMENDATIONS } from './events.ts';
import { adviceDrafts } from './rules.ts';
import { RecommendationView } from './state.ts';

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
