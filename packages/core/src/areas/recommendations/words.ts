import { headed, labelled, type Words } from '../event-words.ts';
import type { recommendationEvents } from './events.ts';

export const recommendationWords: Words<typeof recommendationEvents> = {
  'recommendation.made': ({ recommendation, recommendation_id, text, targets }, { nameOf, say }) => ({
    heading: `${say('advises', 'advise')} only the owner: ${recommendation} (${recommendation_id})`,
    text,
    ...(targets.length === 1 && { parts: labelled('about', targets.map(nameOf)) }),
  }),
  'recommendation.answered': ({ recommendation_id, decision, note }, { ids, say }) =>
    headed(
      `${decision === 'ACCEPT' ? say('accepts', 'accept') : say('rejects', 'reject')} the advice of ${ids.named(recommendation_id)}`,
      note,
    ),
};
