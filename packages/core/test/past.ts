import type { PastEvent } from '../src/testing/index.ts';

/** Functions that make past events for `given`, one function for each kind of event. */

type Builder = 'agent_a' | 'agent_b';
type DataOf<K extends PastEvent['kind']> = Extract<PastEvent, { kind: K }>['data'];

export const turnPosted = (
  actor: Builder,
  turn_index: number,
  data: Partial<DataOf<'turn.posted'>> = {},
): PastEvent => ({
  kind: 'turn.posted',
  actor,
  data: {
    turn_index,
    round: Math.floor(turn_index / 2) + 1,
    next_agent: actor === 'agent_a' ? 'agent_b' : 'agent_a',
    summary: `Turn ${turn_index}.`,
    ...data,
  },
});

export const proposed = (
  actor: Builder,
  decision_id: string,
  data: Partial<DataOf<'decision.proposed'>> = {},
): PastEvent => ({
  kind: 'decision.proposed',
  actor,
  data: { decision_id, topic: 'Store', position: 'PostgreSQL 15', revision: 1, in_turn: false, ...data },
});

export const substantiated = (
  actor: Builder,
  decision_id: string,
  evidence: DataOf<'decision.substantiated'>['evidence'],
  in_turn = false,
): PastEvent => ({ kind: 'decision.substantiated', actor, data: { decision_id, evidence, in_turn } });

export const accepted = (actor: Builder, decision_id: string): PastEvent => ({
  kind: 'decision.accepted',
  actor,
  data: { decision_id },
});

export const acceptedInTurn = (actor: Builder, decision_id: string): PastEvent => ({
  kind: 'decision.accepted',
  actor,
  data: { decision_id, in_turn: true },
});

export const withdrawn = (actor: Builder, decision_id: string, reason = 'Outdated.'): PastEvent => ({
  kind: 'decision.withdrawn',
  actor,
  data: { decision_id, reason },
});

export const rejected = (actor: Builder, decision_id: string, reason = 'Too slow.'): PastEvent => ({
  kind: 'decision.rejected',
  actor,
  data: { decision_id, reason },
});

export const asked = (
  actor: Builder,
  question_id: string,
  data: Partial<DataOf<'question.asked'>> = {},
): PastEvent => ({
  kind: 'question.asked',
  actor,
  data: {
    question_id,
    to: actor === 'agent_a' ? 'agent_b' : 'agent_a',
    text: 'Which port?',
    blocking: false,
    in_turn: true,
    ...data,
  },
});

export const answered = (actor: Builder | 'owner', question_id: string, answer: string): PastEvent => ({
  kind: 'question.answered',
  actor,
  data: { question_id, answer, in_turn: false },
});

export const intervened = (intervention_id: string, data: Partial<DataOf<'intervention.opened'>> = {}): PastEvent => ({
  kind: 'intervention.opened',
  actor: 'owner',
  data: {
    intervention_id,
    type: 'QUESTION',
    text: 'Who owns the schema?',
    priority: 'NORMAL',
    blocking: false,
    targets: ['agent_a', 'agent_b'],
    ...data,
  },
});

export const directed = (intervention_id: string, data: Partial<DataOf<'intervention.opened'>> = {}): PastEvent =>
  intervened(intervention_id, { type: 'DIRECTIVE', text: 'Keep the API.', blocking: true, ...data });

export const acknowledged = (actor: Builder, intervention_id: string): PastEvent => ({
  kind: 'intervention.acknowledged',
  actor,
  data: { intervention_id },
});

export const responded = (actor: Builder, intervention_id: string, text: string): PastEvent => ({
  kind: 'intervention.answered',
  actor,
  data: { intervention_id, text },
});

export const interventionWithdrawn = (intervention_id: string): PastEvent => ({
  kind: 'intervention.withdrawn',
  actor: 'owner',
  data: { intervention_id, outcome: 'WITHDRAWN' },
});

export const taskAssigned = (
  action_id: string,
  due_to: Builder | 'moderator',
  text = 'Write the changelog.',
): PastEvent => ({
  kind: 'action.opened',
  actor: 'owner',
  data: { action_id, due_to, type: 'OWNER_TASK', text },
});

export const actionAcknowledged = (actor: Builder, action_id: string): PastEvent => ({
  kind: 'action.acknowledged',
  actor,
  data: { action_id, due_to: actor },
});

export const actionCompleted = (
  actor: Builder | 'moderator',
  action_id: string,
  type: 'OWNER_TASK' | 'CHECK_ANSWER' = 'OWNER_TASK',
): PastEvent => ({
  kind: 'action.completed',
  actor,
  data: { action_id, due_to: actor, type },
});

export const nominated = (actor: Builder, candidate: Builder, reason = 'Knows the schema.'): PastEvent => ({
  kind: 'author.nominated',
  actor,
  data: { candidate, reason },
});

export const elected = (contract_author: Builder): readonly PastEvent[] => [
  {
    kind: 'author.elected',
    actor: 'system',
    data: { contract_author, technical_reviewer: contract_author === 'agent_a' ? 'agent_b' : 'agent_a' },
  },
  inPhase('CONTRACT'),
];

export const inPhase = (to: DataOf<'phase.changed'>['to']): PastEvent => ({
  kind: 'phase.changed',
  actor: 'system',
  data: { from: 'PLANNING', to },
});

export const paused: PastEvent = { kind: 'session.paused', actor: 'owner', data: { reason: 'Lunch.' } };
export const resumed: PastEvent = { kind: 'session.resumed', actor: 'owner', data: {} };
export const ended: PastEvent = { kind: 'session.ended', actor: 'owner', data: { end_reason: 'CANCELLED' } };
