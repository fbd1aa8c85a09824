import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';
import type { REVIEW_VERDICTS } from './events.ts';

export interface Review {
  readonly by: Builder;
  readonly revisionId: string;
  readonly contentHash: string;
  readonly verdict: (typeof REVIEW_VERDICTS)[number];
  readonly caveats: readonly string[];
  readonly at: string;
  /** Whether the owner has requested changes to the revision after this review. */
  readonly isOverruled: boolean;
}

/** The latest review of each builder, which may be of an earlier revision. */
export type Reviews = Readonly<Partial<Record<Builder, Review>>>;

export const reviewsSlice: Slice<Reviews> = {
  empty: {},
  folds: {
    'changes.requested': overruled,
    'review.submitted': (reviews, { actor, at, data: { revision_id, content_hash, verdict, caveats } }) => {
      if (!isBuilder(actor)) return reviews;
      const review: Review = {
        by: actor,
        revisionId: revision_id,
        contentHash: content_hash,
        verdict,
        caveats,
        at,
        isOverruled: false,
      };
      return { ...reviews, [actor]: review };
    },
  },
};

function overruled({ agent_a, agent_b }: Reviews): Reviews {
  return {
    ...(agent_a && { agent_a: { ...agent_a, isOverruled: true } }),
    ...(agent_b && { agent_b: { ...agent_b, isOverruled: true } }),
  };
}
