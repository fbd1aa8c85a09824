import { type Describe, headed, type Part } from './event-text.ts';
import { type Members, numberIn, recordsIn, textIn, textsIn } from './message.ts';

/**
 * The texts of events about the moderator, by kind: holds, reviews and recommendations, and the owner's decisions about
 * them.
 */
export const MODERATION_TEXTS: Readonly<Record<string, Describe>> = {
  'hold.opened': (body, { say }) =>
    headed(
      `${say('puts', 'put')} hold ${textIn(body, 'hold_id')} on ${textIn(body, 'finding_id')}: approval and authorizations are stopped`,
      textIn(body, 'reason'),
    ),
  'hold.released': (body, { say }) => {
    const hold = textIn(body, 'hold_id');
    const finding = textIn(body, 'finding_id');
    return body.cause === 'FINDING_CLOSED'
      ? { heading: '', outcome: `hold ${hold} is released, because ${finding} is closed` }
      : headed(`${say('releases', 'release')} hold ${hold} on ${finding}`, textIn(body, 'reason'));
  },

  'moderator_review.submitted': (body, { say }) => ({
    heading: `${say('reviews', 'review')} ${textIn(body, 'revision_id')}: ${textIn(body, 'verdict')}`,
    text: textIn(body, 'summary'),
    parts: [
      { label: 'content_hash', text: textIn(body, 'content_hash') },
      ...recordsIn(body, 'dimensions').map(dimensionPart),
    ],
  }),
  'moderator_review.overridden': (body, { say }) =>
    headed(
      `${say('overrides', 'override')} the moderator's review of ${textIn(body, 'revision_id')}`,
      textIn(body, 'reason'),
    ),

  'recommendation.made': (body, { nameOf, say }) => ({
    heading: `${say('advises', 'advise')} only the owner: ${textIn(body, 'recommendation')} (${textIn(body, 'recommendation_id')})`,
    text: textIn(body, 'text'),
    ...(textsIn(body, 'targets').length === 1
      ? { parts: [{ label: 'about', text: textsIn(body, 'targets').map(nameOf).join('') }] }
      : {}),
  }),
  'recommendation.answered': (body, { ids, say }) =>
    headed(
      `${body.decision === 'ACCEPT' ? say('accepts', 'accept') : say('rejects', 'reject')} the advice of ${ids.named(textIn(body, 'recommendation_id'))}`,
      textIn(body, 'note'),
    ),

  'moderator.stopped': (body, { say }) => headed(`${say('stops', 'stop')} the moderator`, textIn(body, 'reason')),
  'moderator.restored': (_, { say }) => headed(`${say('restores', 'restore')} the moderator`),
  'moderator.granted': (body, { say }) =>
    headed(
      `${say('lets', 'let')} the moderator ${textsIn(body, 'permissions').join(', ') || 'read, and nothing else'}`,
    ),
  'entitlement.changed': (body, { say }) =>
    headed(
      body.entitled === true
        ? `${say('allows', 'allow')} moderators from now on`
        : `${say('allows', 'allow')} no moderators from now on`,
    ),
};

function dimensionPart(dimension: Members): Part {
  const note = textIn(dimension, 'note');
  return {
    label: `${numberIn(dimension, 'score')} of 5`,
    text: `${textIn(dimension, 'name')}${note ? `: ${note}` : ''}`,
  };
}
