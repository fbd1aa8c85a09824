import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { text } from '../fields.ts';
import { pickOf } from '../pick.ts';
import type { SessionState } from '../state.ts';
import { type ModeratorReview, ModeratorReviewView } from './moderator-record.ts';

/** A score and a note on an aspect of the contract, such as completeness or testability. */
export const Dimension = z.strictObject({
  name: text(100),
  score: z.int().min(1).max(5).describe('1 is bad, 5 is good.'),
  note: text(1_000).optional(),
});

export const ModeratorReviewResult = z
  .strictObject({ review: ModeratorReviewView })
  .register(documented, { id: 'ModeratorReviewResult' });

const pickReview = pickOf(ModeratorReviewView);

export const viewModeratorReview =
  ({ contract: { latest } }: SessionState) =>
  (review: ModeratorReview) =>
    pickReview({ ...review, outdated: review.revision_id !== latest?.revision_id || review.overruled });
