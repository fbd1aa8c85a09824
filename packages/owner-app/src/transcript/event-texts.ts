import { actionIn, settledHeading } from './action-texts.ts';
import { CONTRACT_TEXTS } from './contract-texts.ts';
import { type Context, type Describe, type EventText, headed, type Part } from './event-text.ts';
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
  'first_turn.chosen': (body, { nameOf }) => headed(`lets ${nameOf(textIn(body, 'first_turn'))} begin`),
  'session.started': () => headed('starts the session'),
  'session.paused': (body) => headed('pauses the session', textIn(body, 'reason')),
  'session.resumed': () => headed('resumes the session'),
  'session.ended': (body) => headed(`ends the session: ${textIn(body, 'end_reason')}`, textIn(body, 'note')),
  'rounds.extended': (body) =>
    headed(`grants ${countIn(body, 'rounds', 'more round')}, ${numberIn(body, 'round_limit')} in all`),
  'quota.raised': (body, { nameOf }) =>
    headed(`raises the ${textIn(body, 'quota')} of ${nameOf(textIn(body, 'role'))} to ${numberIn(body, 'limit')}`),
  'phase.changed': (body) => ({ heading: '', outcome: `phase ${textIn(body, 'from')} → ${textIn(body, 'to')}` }),

  'turn.posted': (body, { ids }) => ({
    heading: `turn ${numberIn(body, 'turn_index') + 1}, round ${numberIn(body, 'round')}`,
    text: textIn(body, 'summary'),
    parts: turnParts(body, ids),
  }),
  'evidence.posted': (body) => ({
    heading: `adds evidence to turn ${numberIn(body, 'turn_index') + 1}`,
    parts: evidenceIn(body).map((item) => ({ label: 'evidence', evidence: [item] })),
  }),
  'question.asked': (body) => ({ heading: 'asks', parts: [questionPart(body)] }),
  'question.answered': (body, { ids }) => replying('answers', textIn(body, 'question_id'), textIn(body, 'answer'), ids),

  'decision.proposed': (body) => ({
    heading: textIn(body, 'supersedes') ? 'replaces a decision' : 'proposes a decision',
    parts: [proposalPart(body)],
  }),
  'decision.substantiated': (body, { ids }) => ({
    heading: `adds evidence to ${ids.decision(textIn(body, 'decision_id'))}`,
    parts: evidenceIn(body).map((item) => ({ label: 'evidence', evidence: [item] })),
  }),
  'decision.accepted': (body, { ids }) => {
    const id = textIn(body, 'decision_id');
    const heading = `accepts ${ids.decision(id)}`;
    return ids.isAccepted(id)
      ? { heading, outcome: `${ids.decision(id)} is resolved: both agents accepted it` }
      : { heading };
  },
  'decision.withdrawn': (body, { ids }) =>
    headed(`withdraws ${ids.decision(textIn(body, 'decision_id'))}`, textIn(body, 'reason')),
  'decision.rejected': (body, { ids }) =>
    headed(`rejects ${ids.decision(textIn(body, 'decision_id'))}`, textIn(body, 'reason')),

  'intervention.opened': (body, { nameOf, ids }) => {
    const parts = interventionParts(body, ids);
    const described = headed(interventionHeading(body, nameOf), textIn(body, 'text'));
    return parts.length > 0 ? { ...described, parts } : described;
  },
  'intervention.acknowledged': (body, { ids }) => headed(`acknowledges ${ids.named(textIn(body, 'intervention_id'))}`),
  'intervention.answered': (body, { ids }) =>
    replying('answers', textIn(body, 'intervention_id'), textIn(body, 'text'), ids),
  'intervention.withdrawn': (body, { ids }) =>
    headed(`closes ${ids.named(textIn(body, 'intervention_id'))}: ${textIn(body, 'outcome')}`),

  'action.opened': (body, { nameOf }) =>
    headed(`gives a task to ${nameOf(textIn(body, 'due_to'))}`, textIn(body, 'text')),
  'action.completed': (body) => headed(`completes ${actionIn(body)}`, textIn(body, 'note')),
  'action.settled': (body) => headed(settledHeading(body), textIn(body, 'note')),

  'author.nominated': (body, { nameOf }) =>
    headed(`names ${nameOf(textIn(body, 'candidate'))} as Contract Author`, textIn(body, 'reason')),
  'author.elected': (body, { nameOf }) => ({
    heading: '',
    outcome: `Contract Author: ${nameOf(textIn(body, 'contract_author'))}. Technical Reviewer: ${nameOf(textIn(body, 'technical_reviewer'))}`,
  }),

  'session.created': (body) => ({
    heading: `opens "${textIn(body, 'title')}"`,
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
  'invitation.created': (body, { nameOf }) => headed(`invites ${nameOf(textIn(body, 'role'))}`),
  'invitation.redeemed': (body) => headed(`joins ${clientOf(body)}`.trim()),
  'access.revoked': (body, { nameOf }) =>
    headed(`revokes the ${textIn(body, 'only') || 'access'} of ${nameOf(textIn(body, 'role'))}`),

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
export function eventTextOf(message: Message, context: Omit<Context, 'from'>): EventText | undefined {
  const { kind, body, from } = message;
  const isDerived = kind === 'action.opened' && from === 'system';
  if (SILENT.has(kind) || isDerived) return undefined;
  const text = describeEvent(message, context);
  if (body.in_turn !== true) return text;
  return text.outcome ? { heading: '', outcome: text.outcome } : undefined;
}

/** The text of an event of any kind, even if transcripts do not show this kind. */
export function describeEvent({ kind, body, from }: Message, context: Omit<Context, 'from'>): EventText {
  const known = Object.hasOwn(EVENT_TEXTS, kind) ? EVENT_TEXTS[kind] : undefined;
  return known ? known(body, { ...context, from }) : headed(kind, memberLines(body));
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

function interventionHeading(body: Members, nameOf: Context['nameOf']): string {
  const verb = textIn(body, 'type') === 'DIRECTIVE' ? 'directs' : 'asks';
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
