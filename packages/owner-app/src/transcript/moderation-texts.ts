import type { EventBody } from '@parley/core/client';
import { type EventTexts, headed, labelled, type Part } from './event-text.ts';

/**
 * The texts of events about the moderator, by kind: holds, reviews and recommendations, and the owner's decisions about
 * them.
 */
export const MODERATION_TEXTS = {
  'hold.opened': ({ hold_id, finding_id, reason }, { say }) =>
    headed(`${say('puts', 'put')} hold ${hold_id} on ${finding_id}: approval and authorizations are stopped`, reason),
  'hold.released': ({ hold_id, finding_id, cause, reason }, { say }) =>
    cause === 'FINDING_CLOSED'
      ? { heading: '', outcome: `hold ${hold_id} is released, because ${finding_id} is closed` }
      : headed(`${say('releases', 'release')} hold ${hold_id} on ${finding_id}`, reason),

  'moderator_review.submitted': ({ revision_id, verdict, summary, content_hash, dimensions }, { say }) => ({
    heading: `${say('reviews', 'review')} ${revision_id}: ${verdict}`,
    text: summary,
    parts: [{ label: 'content_hash', text: content_hash }, ...dimensions.map(dimensionPart)],
  }),
  'moderator_review.overridden': ({ revision_id, reason }, { say }) =>
    headed(`${say('overrides', 'override')} the moderator's review of ${revision_id}`, reason),

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

  'moderator.stopped': ({ reason }, { say }) => headed(`${say('stops', 'stop')} the moderator`, reason),
  'moderator.restored': (_, { say }) => headed(`${say('restores', 'restore')} the moderator`),
  'moderator.granted': ({ permissions }, { say }) =>
    headed(`${say('lets', 'let')} the moderator ${permissions.join(', ') || 'read, and nothing else'}`),
  'entitlement.changed': ({ entitled }, { say }) =>
    headed(
      entitled
        ? `${say('allows', 'allow')} moderators from now on`
        : `${say('allows', 'allow')} no moderators from now on`,
    ),
} satisfies Partial<EventTexts>;

type Dimension = EventBody<'moderator_review.submitted'>['dimensions'][number];

const dimensionPart = ({ name, score, note }: Dimension): Part => ({
  label: `${score} of 5`,
  text: note ? `${name}: ${note}` : name,
});
