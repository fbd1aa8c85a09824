import { hashPart, headed, labelled, type Words } from '../event-words.ts';
import type { moderatorReviewEvents, reviewEvents } from './events.ts';

export const reviewWords: Words<typeof reviewEvents & typeof moderatorReviewEvents> = {
  'review.submitted': (body, { say }) => ({
    heading: `${say('reviews', 'review')} ${body.revision_id}: ${body.verdict}`,
    parts: [hashPart(body), ...labelled('caveat', body.caveats)],
  }),
  'moderator_review.submitted': (body, { say }) => ({
    heading: `${say('reviews', 'review')} ${body.revision_id}: ${body.verdict}`,
    text: body.summary,
    parts: [
      hashPart(body),
      ...body.dimensions.map(({ name, score, note }) => ({
        label: `${score} of 5`,
        text: note ? `${name}: ${note}` : name,
      })),
    ],
  }),
  'moderator_review.overridden': ({ revision_id, reason }, { say }) =>
    headed(`${say('overrides', 'override')} the moderator's review of ${revision_id}`, reason),
};
