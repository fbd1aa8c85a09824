import { CONTRACT_PLACES } from './contract-places.ts';
import { OWNER_PLACES } from './owner-places.ts';
import { REVIEW_PLACES } from './review-places.ts';
import { TALK_PLACES } from './talk-places.ts';
import { VERIFY_PLACES } from './verify-places.ts';

/**
 * Maps each text field to every place where its text can be read. If the record there has another author, that role
 * follows in brackets.
 */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  ...OWNER_PLACES,
  ...TALK_PLACES,
  ...CONTRACT_PLACES,
  ...REVIEW_PLACES,
  ...VERIFY_PLACES,
};
