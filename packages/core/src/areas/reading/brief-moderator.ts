import { z } from 'zod';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { hasModerator } from '../access/rules.ts';
import { GATE_STAGES } from '../document/contract.ts';
import { At } from '../fields.ts';
import { awaitedSince } from '../recommendations/advice.ts';
import { RecommendationView } from '../recommendations/record.ts';
import { viewRecommendation } from '../recommendations/schemas.ts';
import { ModeratorReviewView } from '../reviews/moderator-record.ts';
import { viewModeratorReview } from '../reviews/moderator-schemas.ts';
import type { SessionState } from '../state.ts';

export const BriefStage = z
  .enum(['approval', ...GATE_STAGES])
  .describe('The step: approval of the contract, or authorization of the named stage.')
  .register(documented, { id: 'BriefStage' });
export type BriefStage = z.output<typeof BriefStage>;

/** The moderator's review and recommendations, and since when its advice on the owner's step is expected. */
export const ModeratorSay = z.strictObject({
  takes_part: z.boolean().describe('Whether a moderator can act now.'),
  review: ModeratorReviewView.nullable().describe("The moderator's review of the latest revision."),
  open_advice: z.array(RecommendationView).describe('Recommendations that you have not answered, oldest first.'),
  last_advice: RecommendationView.nullable().describe("The moderator's latest recommendation, answered or not."),
  awaited_since: At.nullable().describe(
    "Time since which the moderator's advice on this step is expected; null if it has advised, cannot act or is not asked.",
  ),
});
documented.add(ModeratorSay, { id: 'ModeratorSay' });

export function viewModeratorSay(state: SessionState, stage: BriefStage): z.output<typeof ModeratorSay> {
  const { recommendations, contract, moderatorReviews } = state;
  const review = lookUp(moderatorReviews, contract.latest?.revision_id ?? '');
  const advice = valuesOf(recommendations.all);
  const open = recommendations.open.flatMap((id) => lookUp(recommendations.all, id) ?? []);
  const last = advice.at(-1);
  return {
    takes_part: hasModerator(state),
    review: review ? viewModeratorReview(state)(review) : null,
    open_advice: open.map(viewRecommendation),
    last_advice: last ? viewRecommendation(last) : null,
    awaited_since: awaitedSince(state, stage),
  };
}
