import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { At, BuilderRole, RecommendationId } from '../fields.ts';
import { storedData } from '../stored-data.ts';
import { OWNER_DECISIONS, RECOMMENDATIONS, recommendationEvents } from './events.ts';
import type { Recommendation, Recommendations } from './state.ts';

export const RecommendationView = z.strictObject({
  recommendation_id: RecommendationId,
  recommendation: z.enum(RECOMMENDATIONS).register(documented, { id: 'RecommendationKind' }),
  text: z
    .string()
    .nullable()
    .describe('Null in lists for a rejected recommendation; with recommendation_id, always given.'),
  targets: z.array(BuilderRole),
  made_at: At,
  answer: z
    .strictObject({ decision: z.enum(OWNER_DECISIONS), note: z.string().nullable(), answered_at: At })
    .nullable(),
});
documented.add(RecommendationView, { id: 'Recommendation' });
export const RecommendationResult = z
  .strictObject({ recommendation: RecommendationView })
  .register(documented, { id: 'RecommendationResult' });

export function recommendationOf({ all }: Recommendations, id: string): Recommendation {
  return (
    lookUp(all, id) ??
    fail('UNKNOWN_RECORD', `There is no recommendation ${id} in this session.`, {
      record: { type: 'recommendation', id },
    })
  );
}

export const viewRecommendation = ({
  recommendationId,
  recommendation,
  text,
  targets,
  at,
  answer,
}: Recommendation): z.output<typeof RecommendationView> => ({
  recommendation_id: recommendationId,
  recommendation,
  text,
  targets: [...targets],
  made_at: at,
  answer: answer && { decision: answer.decision, note: answer.note, answered_at: answer.at },
});

/**
 * Number of the stored event that contains the text of a rejected recommendation. Empty for any other recommendation,
 * whose text is in the state.
 */
export const recommendationSeqs = ({ text, seq }: Recommendation): readonly number[] => (text === null ? [seq] : []);

/**
 * A recommendation with its text, even if the owner has rejected it.
 * @param loaded the events of {@link recommendationSeqs}
 */
export const viewWholeRecommendation = (
  recommendation: Recommendation,
  loaded: readonly LoggedEvent[],
): z.output<typeof RecommendationView> => ({
  ...viewRecommendation(recommendation),
  text: recommendation.text ?? storedData(loaded, recommendation.seq, recommendationEvents['recommendation.made']).text,
});
