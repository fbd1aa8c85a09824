import { actionIn, settledHeading } from './action-texts.ts';
import { CONTRACT_TEXTS } from './contract-texts.ts';
import { type Context, type Describe, type EventText, headed, NAMED, type Part } from './event-text.ts';
import type { IdIndex } from './id-index.ts';
import { countIn, type Members, type Message, numberIn, recordsIn, textIn, textsIn } from './message.ts';
import { MODERATION_TEXTS } from './moderation-texts.ts';
import { PEOPLE_TEXTS } from './people-texts.ts';
import { evidenceIn, proposalPart, questionPart, turnParts } from './turn-parts.ts';
import { VERIFY_TEXTS } from './verify-texts.ts';

/**
 * The functions that make the text of a message, by kind. If a kind is not in this record, the message is shown by its
 * kind and its members.
 */
const EVENT_TEXTS: Readonly<Record<string, Describe>> = {
  'first_turn.chosen': (body, { nameOf, say }) =>
    headed(`${say('lets', 'let')} ${nameOf(textIn(body, 'first_turn'))} begin`),
  'session.started': (_, { say }) => headed(`${say('starts', 'start')} the session`),
  'session.paused': (body, { say }) => headed(`${say('pauses', 'pause')} the session`, textIn(body, 'reason')),
  'session.resumed': (_, { say }) => headed(`${say('resumes', 'resume')} the session`),
  'session.ended': (body, { say }) =>
    headed(`${say('ends', 'end')} the session: ${textIn(body, 'end_reason')}`, textIn(body, 'note')),
  'rounds.extended': (body, { say }) =>
    headed(
      `${say('grants', 'grant')} ${countIn(body, 'rounds', 'more round')}, ${numberIn(body, 'round_limit')} in all`,
    ),
  'quota.raised': (body, { nameOf, say }) =>
    headed(
      `${say('raises', 'raise')} the ${textIn(body, 'quota')} of ${nameOf(textIn(body, 'role'))} to ${numberIn(body, 'limit')}`,
    ),
  'phase.changed': (body) => ({ heading: '', outcome: `phase ${textIn(body, 'from')} → ${textIn(body, 'to')}` }),

  'turn.posted': (body, { ids }) => ({
    heading: `turn ${numberIn(body, 'turn_index') + 1}, round ${numberIn(body, 'round')}`,
    text: textIn(body, 'summary'),
    parts: turnParts(body, ids),
  }),
  'evidence.posted': (body, { say }) => ({
    heading: `${say('adds', 'add')} evidence to turn ${numberIn(body, 'turn_index') + 1}`,
    parts: evidenceIn(body).map((item) => ({ label: 'evidence', evidence: [item] })),
  }),
  'question.asked': (body, { say }) => ({ heading: say('asks', 'ask'), parts: [questionPart(body)] }),
  'question.answered': (body, { ids, say }) =>
    replying(say('answers', 'answer'), textIn(body, 'question_id'), textIn(body, 'answer'), ids),

  'decision.proposed': (body, { say }) => ({
    heading: textIn(body, 'supersedes')
      ? `${say('replaces', 'replace')} a decision`
      : `${say('proposes', 'propose')} a decision`,
    parts: [proposalPart(body)],
  }),
  'decision.substantiated': (body, { ids, say }) => ({
    heading: `${say('adds', 'add')} evidence to ${ids.decision(textIn(body, 'decision_id'))}`,
    parts: evidenceIn(body).map((item) => ({ label: 'evidence', evidence: [item] })),
  }),
  'decision.accepted': (body, { ids, say }) => {
    const id = textIn(body, 'decision_id');
    const heading = `${say('accepts', 'accept')} ${ids.decision(id)}`;
    return ids.isAccepted(id)
      ? { heading, outcome: `${ids.decision(id)} is resolved: both agents accepted it` }
      : { heading };
  },
  'decision.withdrawn': (body, { ids, say }) =>
    headed(`${say('withdraws', 'withdraw')} ${ids.decision(textIn(body, 'decision_id'))}`, textIn(body, 'reason')),
  'decision.rejected': (body, { ids, say }) =>
    headed(`${say('rejects', 'reject')} ${ids.decision(textIn(body, 'decision_id'))}`, textIn(body, 'reason')),

  'intervention.opened': (body, { nameOf, ids, say }) => {
    const parts = interventionParts(body, ids);
    const described = headed(interventionHeading(body, { nameOf, say }), textIn(body, 'text'));
    return parts.length > 0 ? { ...described, parts } : described;
  },
  'intervention.acknowledged': (body, { ids, say }) =>
    headed(`${say('acknowledges', 'acknowledge')} ${ids.named(textIn(body, 'intervention_id'))}`),
  'intervention.answered': (body, { ids, say }) =>
    replying(say('answers', 'answer'), textIn(body, 'intervention_id'), textIn(body, 'text'), ids),
  'intervention.withdrawn': (body, { ids, say }) =>
    headed(`${say('closes', 'close')} ${ids.named(textIn(body, 'intervention_id'))}: ${textIn(body, 'outcome')}`),

  'action.opened': (body, { nameOf, say }) =>
    headed(`${say('gives', 'give')} a task to ${nameOf(textIn(body, 'due_to'))}`, textIn(body, 'text')),
  'action.completed': (body, { say }) =>
    headed(`${say('completes', 'complete')} ${actionIn(body)}`, textIn(body, 'note')),
  'action.settled': (body, { say }) => headed(settledHeading(body, say), textIn(body, 'note')),

  'author.nominated': (body, { nameOf, say }) =>
    headed(`${say('names', 'name')} ${nameOf(textIn(body, 'candidate'))} as Contract Author`, textIn(body, 'reason')),
  'author.elected': (body, { nameOf }) => ({
    heading: '',
    outcome: `Contract Author: ${nameOf(textIn(body, 'contract_author'))}. Technical Reviewer: ${nameOf(textIn(body, 'technical_reviewer'))}`,
  }),

  'session.created': (body, { say }) => ({
    heading: `${say('opens', 'open')} "${textIn(body, 'title')}"`,
    text: textIn(body, 'objective'),
    parts: [
      ...textsIn(body, 'guardrails').map((text) => ({ label: 'guardrail', text })),
      ...recordsIn(body, 'requirements').map((item) => ({
        label: 'required',
        title: textIn(item, 'requirement_id'),
        text: textIn(item, 'text'),
      })),
    ],
  }),
  'invitation.created': (body, { nameOf, say }) =>
    headed(`${say('invites', 'invite')} ${nameOf(textIn(body, 'role'))}`),
  'invitation.redeemed': (body, { say }) => headed(`${say('joins', 'join')} ${clientOf(body)}`.trim()),
  'access.revoked': (body, { nameOf, say }) =>
    headed(`${say('revokes', 'revoke')} the ${textIn(body, 'only') || 'access'} of ${nameOf(textIn(body, 'role'))}`),

  ...CONTRACT_TEXTS,
  ...MODERATION_TEXTS,
  ...VERIFY_TEXTS,
  ...PEOPLE_TEXTS,
};

/** Kinds of messages that are not shown, because they are for the service itself. */
const SILENT = new Set([
  'action.acknowledged',
  'action.fulfilled',
  'events.acknowledged',
  'notice.delivered',
  'reading.recorded',
]);

/**
 * The text of a message, or undefined if the message is not shown. If a message is about a record of a turn, its text
 * is only the outcome, because the text of the turn already shows the record.
 */
export function eventTextOf(message: Message, context: Known): EventText | undefined {
  const { kind, body, from } = message;
  const isDerived = kind === 'action.opened' && from === 'system';
  if (SILENT.has(kind) || isDerived) return undefined;
  const text = describeEvent(message, context);
  if (body.in_turn !== true) return text;
  return text.outcome ? { heading: '', outcome: text.outcome } : undefined;
}

/** What a caller gives besides the message. `say` is by default the voice of texts about others. */
type Known = Omit<Context, 'from' | 'say'> & Partial<Pick<Context, 'say'>>;

/** The text of an event of any kind, even if transcripts do not show this kind. */
export function describeEvent({ kind, body, from }: Message, context: Known): EventText {
  const known = Object.hasOwn(EVENT_TEXTS, kind) ? EVENT_TEXTS[kind] : undefined;
  return known ? known(body, { say: NAMED, ...context, from }) : headed(kind, memberLines(body));
}

const memberLines = (body: Members): string =>
  Object.entries(body)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');

function replying(verb: string, id: string, text: string, ids: IdIndex): EventText {
  const asked = ids.words(id);
  return {
    heading: `${verb} ${id}`,
    ...(asked
      ? {
          parts: [
            { label: 'question', text: asked },
            { label: 'answer', text },
          ],
        }
      : { text }),
  };
}

function interventionHeading(body: Members, { nameOf, say }: Pick<Context, 'nameOf' | 'say'>): string {
  const verb = textIn(body, 'type') === 'DIRECTIVE' ? say('directs', 'direct') : say('asks', 'ask');
  const targets = textsIn(body, 'targets').map(nameOf).join(' and ');
  const notes = [
    textIn(body, 'intervention_id'),
    textIn(body, 'priority') === 'NORMAL' ? '' : textIn(body, 'priority'),
  ];
  return `${verb} ${targets} (${[...notes, body.blocking === true ? 'blocking' : ''].filter(Boolean).join(', ')})`;
}

/** The parts of an intervention: the decision and the revision that it is about, and its evidence. */
const interventionParts = (body: Members, ids: IdIndex): Part[] => [
  ...[ids.decision(textIn(body, 'related_decision_id')), textIn(body, 'related_revision_id')]
    .filter((text) => text !== '')
    .map((text) => ({ label: 'about', text })),
  ...evidenceIn(body).map((item) => ({ label: 'evidence', evidence: [item] })),
];

const clientOf = (body: Members): string => (textIn(body, 'client_type') ? `(${textIn(body, 'client_type')})` : '');
