import { CONTRACT_PLACES } from './contract-places.ts';
import { OWNER_PLACES } from './owner-places.ts';
import { REVIEW_PLACES } from './review-places.ts';
import { TALK_PLACES } from './talk-places.ts';
import { VERIFY_PLACES } from './verify-places.ts';

/**
 * Every text field, and every place in which its text is read. A name in brackets is the author of the surrounding
 * record, if it is not the author of the text.
 */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  ...OWNER_PLACES,
  ...TALK_PLACES,
  ...CONTRACT_PLACES,
  ...REVIEW_PLACES,
  ...VERIFY_PLACES,
};
