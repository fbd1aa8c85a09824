import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { pickOf } from '../pick.ts';
import { storedData } from '../stored-data.ts';
import { recommendationEvents } from './events.ts';
import { type Recommendation, RecommendationView } from './record.ts';
import type { Recommendations } from './state.ts';

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

export const viewRecommendation = pickOf(RecommendationView);

/**
 * Number of the stored event that contains the text of a rejected recommendation. Empty for any other recommendation,
 * whose text is in the state.
 */
export const recommendationSeqs = ({ text, seq }: Recommendation): readonly number[] => (text === null ? [seq] : []);

/**
 * A recommendation with its text, even if the owner has rejected it.
 * @param loaded the events of {@link recommendationSeqs}
 */
export const viewWholeRecommendation = (recommendation: Recommendation, loaded: readonly LoggedEvent[]) =>
  viewRecommendation({
    ...recommendation,
    text:
      recommendation.text ?? storedData(loaded, recommendation.seq, recommendationEvents['recommendation.made']).text,
  });
