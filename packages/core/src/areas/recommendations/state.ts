import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { At, BuilderRole, RecommendationId } from '../fields.ts';
import type { Slice } from '../slice.ts';
import { OWNER_DECISIONS, RECOMMENDATIONS } from './events.ts';

/** Advice of the moderator to the owner. It does not bind the owner. */
export const RecommendationView = namedObject('Recommendation', {
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

/** A recommendation in the state. If the owner has rejected it, only the log contains its text. */
export interface Recommendation extends Readonly<z.output<typeof RecommendationView>> {
  readonly seq: number;
}

export interface Recommendations {
  readonly all: PersistentMap<Recommendation>;
  /** Ids of the recommendations that the owner has not answered, oldest first. */
  readonly open: readonly string[];
}

export const recommendationsSlice: Slice<Recommendations> = {
  empty: { all: emptyMap(), open: [] },
  folds: {
    'recommendation.made': ({ all, open }, { at, seq, data }) => {
      const { recommendation_id: id } = data;
      return { all: withEntry(all, id, { ...data, made_at: at, answer: null, seq }), open: [...open, id] };
    },
    'recommendation.answered': ({ all, open }, event) => {
      const { recommendation_id: id, decision, note = null } = event.data;
      const made = lookUp(all, id);
      if (!made) throw new Error(`An event answers recommendation ${id}, which was never made.`);
      const text = decision === 'REJECT' ? null : made.text;
      const answered = { ...made, text, answer: { decision, note, answered_at: event.at } };
      return { all: withEntry(all, id, answered), open: open.filter((other) => other !== id) };
    },
  },
};
