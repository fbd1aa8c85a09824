import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At, BuilderRole, RecommendationId } from '../fields.ts';
import { OWNER_DECISIONS, RECOMMENDATIONS } from './events.ts';

/** Advice of the moderator to the owner. It does not bind the owner. */
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

/** A recommendation in the state. If the owner has rejected it, only the log contains its text. */
export interface Recommendation extends Readonly<z.output<typeof RecommendationView>> {
  readonly seq: number;
}
