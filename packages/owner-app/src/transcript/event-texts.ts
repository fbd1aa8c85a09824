import type { EventBody, EventName, Happened } from '@parley/core/client';
import { plural } from '../text/counted.ts';
import { actionIn, settledHeading } from './action-texts.ts';
import { CONTRACT_TEXTS } from './contract-texts.ts';
import { type Context, type EventText, type EventTexts, evidenceParts, headed, labelled, NAMED } from './event-text.ts';
import type { IdIndex } from './id-index.ts';
import type { Message } from './message.ts';
import { MODERATION_TEXTS } from './moderation-texts.ts';
import { PEOPLE_TEXTS } from './people-texts.ts';
import { proposalPart, questionPart, turnParts } from './turn-parts.ts';
import { VERIFY_TEXTS } from './verify-texts.ts';

/** The texts of all events. The compiler refuses a kind without an entry. */
const EVENT_TEXTS: EventTexts = {
  'first_turn.chosen': ({ first_turn }, { nameOf, say }) => headed(`${say('lets', 'let')} ${nameOf(first_turn)} begin`),
  'session.started': (_, { say }) => headed(`${say('starts', 'start')} the session`),
  'session.paused': ({ reason }, { say }) => headed(`${say('pauses', 'pause')} the session`, reason),
  'session.resumed': (_, { say }) => headed(`${say('resumes', 'resume')} the session`),
  'session.ended': ({ end_reason, note }, { say }) => headed(`${say('ends', 'end')} the session: ${end_reason}`, note),
  'rounds.extended': ({ rounds, round_limit }, { say }) =>
    headed(`${say('grants', 'grant')} ${plural(rounds, 'more round')}, ${round_limit} in all`),
  'quota.raised': ({ role, quota, limit }, { nameOf, say }) =>
    headed(`${say('raises', 'raise')} the ${quota} of ${nameOf(role)} to ${limit}`),
  'phase.changed': ({ from, to }) => ({ heading: '', outcome: `phase ${from} → ${to}` }),

  'turn.posted': (body, { ids }) => ({
    heading: `turn ${body.turn_index + 1}, round ${body.round}`,
    text: body.summary,
    parts: turnParts(body, ids),
  }),
  'evidence.posted': ({ turn_index, evidence }, { say }) => ({
    heading: `${say('adds', 'add')} evidence to turn ${turn_index + 1}`,
    parts: evidenceParts(evidence),
  }),
  'question.asked': (body, { say }) => ({ heading: say('asks', 'ask'), parts: [questionPart(body)] }),
  'question.answered': ({ question_id, answer }, { ids, say }) =>
    replying(say('answers', 'answer'), question_id, answer, ids),

  'decision.proposed': (body, { say }) => ({
    heading: body.supersedes ? `${say('replaces', 'replace')} a decision` : `${say('proposes', 'propose')} a decision`,
    parts: [proposalPart(body)],
  }),
  'decision.substantiated': ({ decision_id, evidence }, { ids, say }) => ({
    heading: `${say('adds', 'add')} evidence to ${ids.decision(decision_id)}`,
    parts: evidenceParts(evidence),
  }),
  'decision.accepted': ({ decision_id }, { ids, say }) => {
    const decision = ids.decision(decision_id);
    return {
      heading: `${say('accepts', 'accept')} ${decision}`,
      ...(ids.isAccepted(decision_id) && { outcome: `${decision} is resolved: both agents accepted it` }),
    };
  },
  'decision.withdrawn': ({ decision_id, reason }, { ids, say }) =>
    headed(`${say('withdraws', 'withdraw')} ${ids.decision(decision_id)}`, reason),
  'decision.rejected': ({ decision_id, reason }, { ids, say }) =>
    headed(`${say('rejects', 'reject')} ${ids.decision(decision_id)}`, reason),

  'intervention.opened': (body, context) => {
    const { text, related_decision_id: decision, related_revision_id, evidence } = body;
    const about = [decision && context.ids.decision(decision), related_revision_id];
    const parts = [...labelled('about', about), ...evidenceParts(evidence)];
    return { ...headed(interventionHeading(body, context), text), ...(parts.length > 0 && { parts }) };
  },
  'intervention.acknowledged': ({ intervention_id }, { ids, say }) =>
    headed(`${say('acknowledges', 'acknowledge')} ${ids.named(intervention_id)}`),
  'intervention.answered': ({ intervention_id, text }, { ids, say }) =>
    replying(say('answers', 'answer'), intervention_id, text, ids),
  'intervention.withdrawn': ({ intervention_id, outcome }, { ids, say }) =>
    headed(`${say('closes', 'close')} ${ids.named(intervention_id)}: ${outcome}`),

  'action.opened': ({ due_to, text }, { nameOf, say }) =>
    headed(`${say('gives', 'give')} a task to ${nameOf(due_to)}`, text),
  'action.acknowledged': null,
  'action.completed': (body, { say }) => headed(`${say('completes', 'complete')} ${actionIn(body)}`, body.note),
  'action.settled': (body, { say }) => headed(settledHeading(body, say), body.note),
  'action.fulfilled': null,

  'author.nominated': ({ candidate, reason }, { nameOf, say }) =>
    headed(`${say('names', 'name')} ${nameOf(candidate)} as Contract Author`, reason),
  'author.elected': ({ contract_author, technical_reviewer }, { nameOf }) => ({
    heading: '',
    outcome: `Contract Author: ${nameOf(contract_author)}. Technical Reviewer: ${nameOf(technical_reviewer)}`,
  }),

  'session.created': ({ title, objective, guardrails, requirements }, { say }) => ({
    heading: `${say('opens', 'open')} "${title}"`,
    text: objective,
    parts: [
      ...labelled('guardrail', guardrails),
      ...requirements.map(({ requirement_id, text }) => ({ label: 'required', title: requirement_id, text })),
    ],
  }),
  'invitation.created': ({ role }, { nameOf, say }) => headed(`${say('invites', 'invite')} ${nameOf(role)}`),
  'invitation.redeemed': ({ client_type }, { say }) =>
    headed(`${say('joins', 'join')}${client_type ? ` (${client_type})` : ''}`),
  'access.revoked': ({ role, only = 'access' }, { nameOf, say }) =>
    headed(`${say('revokes', 'revoke')} the ${only} of ${nameOf(role)}`),

  'events.acknowledged': null,
  'notice.delivered': null,

  ...CONTRACT_TEXTS,
  ...MODERATION_TEXTS,
  ...VERIFY_TEXTS,
  ...PEOPLE_TEXTS,
};

/**
 * The text of a message, or undefined if the message is not shown. If a message is about a record of a turn, its text
 * is only the outcome, because the text of the turn already shows the record.
 */
export function eventTextOf(message: Message, context: Omit<Known, 'from'>): EventText | undefined {
  const { kind, body, from } = message;
  const isDerived = kind === 'action.opened' && from === 'system';
  if (isDerived || kind === 'reading.recorded' || EVENT_TEXTS[kind] === null) return undefined;
  const text = describeEvent(message, { ...context, from });
  if (!('in_turn' in body && body.in_turn)) return text;
  return text.outcome ? { heading: '', outcome: text.outcome } : undefined;
}

/** What a caller gives besides the message. `say` is by default the voice of texts about others. */
type Known = Omit<Context, 'say'> & Partial<Pick<Context, 'say'>>;

/**
 * The text of an event of any kind, even if transcripts do not show this kind. An event of a later version, whose kind is
 * not known, is shown by its kind and its members.
 */
export function describeEvent<K extends EventName>({ kind, body }: Happened<K>, context: Known): EventText {
  const describe = Object.hasOwn(EVENT_TEXTS, kind) ? EVENT_TEXTS[kind] : null;
  return describe ? describe(body, { say: NAMED, ...context }) : headed(kind, memberLines(body));
}

const memberLines = (body: object): string =>
  Object.entries(body)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');

function replying(verb: string, id: string, text: string, ids: IdIndex): EventText {
  const heading = `${verb} ${id}`;
  const asked = ids.words(id);
  if (!asked) return { heading, text };
  return {
    heading,
    parts: [
      { label: 'question', text: asked },
      { label: 'answer', text },
    ],
  };
}

function interventionHeading(
  { type, targets, intervention_id, priority, blocking }: EventBody<'intervention.opened'>,
  { nameOf, say }: Pick<Context, 'nameOf' | 'say'>,
): string {
  const verb = type === 'DIRECTIVE' ? say('directs', 'direct') : say('asks', 'ask');
  const notes = [intervention_id, priority !== 'NORMAL' && priority, blocking && 'blocking'].filter(Boolean).join(', ');
  return `${verb} ${targets.map(nameOf).join(' and ')} (${notes})`;
}
