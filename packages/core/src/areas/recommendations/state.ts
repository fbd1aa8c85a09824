import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Slice } from '../slice.ts';
import type { Recommendation } from './record.ts';

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
