import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';
import type { Review } from './record.ts';

/** The latest review of each builder, which may be of an earlier revision. */
export type Reviews = Readonly<Partial<Record<Builder, Review>>>;

export const reviewsSlice: Slice<Reviews> = {
  empty: {},
  folds: {
    'changes.requested': overruled,
    'review.submitted': (reviews, { actor, at, data: { findings: _caveats, ...said } }) =>
      isBuilder(actor) ? { ...reviews, [actor]: { ...said, by: actor, submitted_at: at, overruled: false } } : reviews,
  },
};

function overruled({ agent_a, agent_b }: Reviews): Reviews {
  return {
    ...(agent_a && { agent_a: { ...agent_a, overruled: true } }),
    ...(agent_b && { agent_b: { ...agent_b, overruled: true } }),
  };
}
