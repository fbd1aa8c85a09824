import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Builder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';
import type { OWNER_DECISIONS, RECOMMENDATIONS } from './events.ts';

/** Advice of the moderator to the owner. It does not bind the owner. */
export interface Recommendation {
  readonly recommendationId: string;
  readonly recommendation: (typeof RECOMMENDATIONS)[number];
  /** Null if the owner has rejected the recommendation. Then only the log contains its text. */
  readonly text: string | null;
  /** The builders that the recommendation is about. */
  readonly targets: readonly Builder[];
  readonly at: string;
  readonly seq: number;
  readonly answer: {
    readonly decision: (typeof OWNER_DECISIONS)[number];
    readonly note: string | null;
    readonly at: string;
  } | null;
}

export interface Recommendations {
  readonly all: PersistentMap<Recommendation>;
  /** Ids of the recommendations that the owner has not answered, oldest first. */
  readonly open: readonly string[];
}

export const recommendationsSlice: Slice<Recommendations> = {
  empty: { all: emptyMap(), open: [] },
  folds: {
    'recommendation.made': ({ all, open }, event) => {
      const { recommendation_id: recommendationId, recommendation, text, targets } = event.data;
      const { at, seq } = event;
      const made = { recommendationId, recommendation, text, targets, at, seq, answer: null };
      return { all: withEntry(all, recommendationId, made), open: [...open, recommendationId] };
    },
    'recommendation.answered': ({ all, open }, event) => {
      const { recommendation_id: id, decision, note = null } = event.data;
      const made = lookUp(all, id);
      if (!made) throw new Error(`An event answers recommendation ${id}, which was never made.`);
      const text = decision === 'REJECT' ? null : made.text;
      const answered = { ...made, text, answer: { decision, note, at: event.at } };
      return { all: withEntry(all, id, answered), open: open.filter((other) => other !== id) };
    },
  },
};
