import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import type { TextLabels } from '../content.ts';
import { type Context, evidenceParts, headed, labelled, replying, type Words } from '../event-words.ts';
import type { interventionEvents, recommendationEvents } from './events.ts';
import type { INTERVENTION_CONTENT, RECOMMENDATION_CONTENT, RESPONSE_CONTENT } from './state.ts';

export const interventionTexts: TextLabels<typeof INTERVENTION_CONTENT> = { text: 'text' };
export const answerTexts: TextLabels<typeof RESPONSE_CONTENT> = { text: 'answer' };
export const recommendationTexts: TextLabels<typeof RECOMMENDATION_CONTENT> = { text: 'text' };

export const interventionWords: Words<typeof interventionEvents> = {
  'intervention.opened': (body, context) => {
    const { text, related_decision_id: decision, related_revision_id, evidence } = body;
    const about = [decision && context.ids.decision(decision), related_revision_id];
    const parts = [...labelled('about', about), ...evidenceParts(evidence)];
    return { ...headed(openedHeading(body, context), text), ...(parts.length > 0 && { parts }) };
  },
  'intervention.acknowledged': ({ intervention_id }, { ids, say }) =>
    headed(`${say('acknowledges', 'acknowledge')} ${ids.named(intervention_id)}`),
  'intervention.answered': ({ intervention_id, text }, { ids, say }) =>
    replying(say('answers', 'answer'), intervention_id, { text, ids }),
  'intervention.withdrawn': ({ intervention_id, outcome }, { ids, say }) =>
    headed(`${say('closes', 'close')} ${ids.named(intervention_id)}: ${outcome}`),
};

type Opened = BodyOf<(typeof interventionEvents)['intervention.opened']>;

function openedHeading(
  { type, targets, intervention_id, priority, blocking }: Opened,
  { nameOf, say }: Context,
): string {
  const verb = type === 'DIRECTIVE' ? say('directs', 'direct') : say('asks', 'ask');
  const notes = [intervention_id, priority !== 'NORMAL' && priority, blocking && 'blocking'].filter(Boolean).join(', ');
  return `${verb} ${targets.map(nameOf).join(' and ')} (${notes})`;
}

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
