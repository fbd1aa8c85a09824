import { describe, expect, test } from 'vitest';
import { given, openSession, type PastEvent } from '../../src/testing/index.ts';
import {
  acknowledged,
  actionAcknowledged,
  actionCompleted,
  asked,
  directed,
  intervened,
  proposed,
  taskAssigned,
  turnPosted,
} from '../past.ts';

const kinds = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b' | 'moderator') =>
  given(past)
    .when('read_messages', { after: 5 }, role)
    .reply()
    .messages.map(({ kind }) => kind);

describe('the transcript', () => {
  test('contains what was sent inside a turn once, in the turn', () => {
    const said = { in_turn: true };
    const past = [turnPosted('agent_a', 0), asked('agent_a', 'q_1', said), proposed('agent_a', 'd_1', said)];
    expect(kinds(past, 'agent_b')).toEqual(['turn.posted']);
  });

  test('contains no acknowledgement', () => {
    const past = [
      intervened('i_1'),
      acknowledged('agent_a', 'i_1'),
      taskAssigned('act_1', 'agent_a'),
      actionAcknowledged('agent_a', 'act_1'),
    ];
    for (const role of ['agent_a', 'agent_b'] as const) expect(kinds(past, role)).toEqual(['intervention.opened']);
  });

  test('contains an action that a call completed, but none that was fulfilled automatically', () => {
    const past = [taskAssigned('act_1', 'agent_a'), actionCompleted('agent_a', 'act_1')];
    expect(kinds(past, 'agent_b')).toEqual(['action.completed']);
    expect(kinds([directed('i_1'), acknowledged('agent_a', 'i_1')], 'agent_a')).toEqual(['intervention.opened']);
  });

  test('leaves out how an event was folded', () => {
    const { messages } = given([proposed('agent_a', 'd_1')])
      .when('read_messages', { after: 5 }, 'agent_b')
      .reply();
    expect(messages[0]?.body).toEqual({ decision_id: 'd_1', topic: 'Store', position: 'PostgreSQL 15', revision: 1 });
  });
});

describe('what a builder must not see', () => {
  test('is every event about tokens, anywhere', async () => {
    const { owner, sessionId, agentA, agentB, moderator, tokens } = await openSession();
    await owner.invite(sessionId, { role: 'agent_b' });
    const secrets = [tokens.agent_b.slice(4), tokens.agent_b.slice(0, 10), 'token_hash', 'code_hash', 'invitation.'];
    for (const agent of [agentA, agentB, moderator]) {
      const seen = JSON.stringify([
        await agent.call('read_task'),
        await agent.call('read_session_state'),
        await agent.call('read_messages'),
      ]);
      for (const secret of secrets) expect(seen.includes(secret) && secret).toBe(false);
    }
  });

  test('moves no cursor of its own', async () => {
    const { owner, sessionId, agentB } = await openSession();
    const before = await agentB.call('read_session_state');
    await owner.invite(sessionId, { role: 'agent_a' });
    await owner.assignAction(sessionId, { target: 'agent_a', text: 'Do.' });
    const after = await agentB.call('read_session_state');
    expect(after.cursor).toBe(before.cursor);
    expect(await agentB.call('read_messages', { after: after.cursor })).toEqual({
      messages: [],
      next_cursor: after.cursor,
      more: false,
    });
  });

  test('is a task of the other agent, by list or by id', () => {
    const session = given([taskAssigned('act_1', 'agent_a')]);
    session.when('poll_actions', {}, 'agent_b').thenReply({ actions: [] });
    expect(session.when('ack_action', { action_id: 'act_1' }, 'agent_b').refusal().message).toBe(
      given().when('ack_action', { action_id: 'act_1' }, 'agent_b').refusal().message,
    );
  });

  test.each([
    ['answer_question', { question_id: 'q_1', answer: 'x' }, asked('agent_b', 'q_1')],
    ['ack_intervention', { intervention_id: 'i_1' }, intervened('i_1', { targets: ['agent_a'] })],
    ['answer_intervention', { intervention_id: 'i_1', text: 'x' }, intervened('i_1', { targets: ['agent_a'] })],
    ['complete_action', { action_id: 'act_1' }, taskAssigned('act_1', 'agent_a')],
  ] as const)('answers %s exactly like an unknown id', (tool, input, event) => {
    const refusal = given([event])
      .when(tool, input as never, 'agent_b')
      .refusal();
    expect(refusal).toEqual(
      given()
        .when(tool, input as never, 'agent_b')
        .refusal(),
    );
  });
});
