import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { describeOwner } from '../describe-access.ts';
import { actionCompleted, taskAssigned } from '../past.ts';
import { awaiting, handshake, play } from '../story.ts';

const AT = '2026-01-05T09:00:00.000Z';
const fault = { kind: 'fault', text: 'The clock drifts.' };
const asked = { kind: 'question', text: 'Who owns the queue?', side: 'agent_a' };
const records = (past: readonly PastEvent[], more: object = {}) =>
  given(past)
    .when('records', { type: 'followup', ...more }, 'owner')
    .reply().records;
const noted = (actor: 'agent_b' | 'moderator', data: object): PastEvent =>
  ({ kind: 'followup.noted', actor, data }) as PastEvent;
const task = taskAssigned('act_1', 'agent_b');
const complete = (past: readonly PastEvent[], input: object, role: 'agent_b' | 'moderator' = 'agent_b') =>
  given(past).when('complete_action', { action_id: 'act_1', ...input }, role);
const verdict = { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' };

describe('follow-ups', () => {
  test('are stored after the turn that notes them, for the own side unless it names the other', () => {
    const past = play(
      [],
      [['agent_a', 'post_turn', { summary: 'S.', followups: [fault, { ...asked, side: 'agent_b' }] }]],
    );
    expect(past.map(({ kind }) => kind)).toEqual(['turn.posted', 'followup.noted', 'followup.noted']);
    const turn = { type: 'turn', id: '0' };
    expect(records(past)).toEqual([
      { followup_id: 'fu_1', ...fault, side: 'agent_a', by: 'agent_a', origin: turn, noted_at: AT },
      { followup_id: 'fu_2', ...asked, side: 'agent_b', by: 'agent_a', origin: turn, noted_at: AT },
    ]);
    expect(records(past, { side: 'agent_b' })).toMatchObject([{ followup_id: 'fu_2' }]);
    expect(given(past).when('records', { id: 'fu_2' }, 'owner').reply().records).toMatchObject([{ text: asked.text }]);
    const { messages } = given(past).when('read_messages', { after: 1 }, 'agent_b').reply();
    expect(messages.slice(-2)).toMatchObject([{ body: fault }, { body: { kind: 'question' } }]);
  });

  test('of a completed action are stored once, and also if it is completed already', () => {
    const origin = { type: 'action', id: 'act_1' };
    const first = noted('agent_b', { followup_id: 'fu_1', side: 'agent_b', ...fault, origin });
    complete([task], { followups: [fault, fault] }).thenEvents(actionCompleted('agent_b', 'act_1'), first);
    complete([task, actionCompleted('agent_b', 'act_1')], { followups: [fault] }).thenEvents(first);
    complete([task, actionCompleted('agent_b', 'act_1'), first], { followups: [fault] }).thenEvents();
  });

  test('of the moderator have to name a side', () => {
    const past = [taskAssigned('act_1', 'moderator')];
    complete(past, { followups: [fault] }, 'moderator').thenFails('INVALID_INPUT', {
      issues: [{ path: 'followups[0].side', message: 'Is required: you have no repository.' }],
    });
    const { text, side, kind } = asked;
    expect(
      complete(past, { followups: [asked] }, 'moderator')
        .events()
        .at(-1),
    ).toMatchObject({
      actor: 'moderator',
      data: { followup_id: 'fu_1', side, kind, text },
    });
  });

  test('include the deviations of a pass that stands, for the agent responsible for its scenario', () => {
    const past = play(awaiting, [
      ['agent_b', 'verify_verify', { ...verdict, deviations: ['It took 3 s.', 'No trace id.'], followups: [fault] }],
    ]);
    const origin = { type: 'attempt', id: 'test-reserve/1' };
    expect(records(past)).toMatchObject([
      { followup_id: 'fu_1', kind: 'deviation', text: 'It took 3 s.', side: 'agent_b', by: 'agent_b', origin },
      { followup_id: 'fu_2', kind: 'deviation', text: 'No trace id.', side: 'agent_b', by: 'agent_b', origin },
      { followup_id: 'fu_3', kind: 'fault', side: 'agent_b', by: 'agent_b', origin },
    ]);
    const { text } = given(past).when('report', {}, 'owner').reply();
    expect(text).toMatch(/## Noted for later\n\n- `fu_3` fault, for .*, noted by .*: The clock drifts\.\n\n/);
    const stale = play(past, [handshake('agent_a', { commit: 'c'.repeat(40) })]);
    expect(records(stale)).toMatchObject([{ followup_id: 'fu_3' }]);
  });

  test('are refused with the whole call', () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      noted('agent_b', { followup_id: `fu_${index + 1}`, side: 'agent_b', kind: 'fault', text: `Fault ${index}.` }),
    );
    complete([task, ...many], { followups: [fault] }).thenFails('LIMIT_EXCEEDED', {
      limit: 200,
      hint: 'Send the call again with fewer followups, or none.',
    });
    complete([task, ...many], { followups: [{ kind: 'fault', text: 'Fault 7.' }] }).thenEvents(
      actionCompleted('agent_b', 'act_1'),
    );
    complete([task], { followups: Array(11).fill(fault) }).thenFails('INVALID_INPUT');
    complete([task], { followups: [{ ...fault, text: `Key ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}` }] }).thenFails(
      'CREDENTIAL_REJECTED',
    );
    given([]).when('records', { type: 'finding', side: 'agent_a' }, 'owner').thenFails('INVALID_INPUT');
  });
});

describe('noteFollowup', () => {
  const input = { side: 'agent_a', kind: 'deviation', text: 'No dark theme.' } as const;
  describeOwner('noteFollowup', { input, statuses: ['DRAFT', 'ACTIVE', 'PAUSED'] });

  test('notes a follow-up of the owner, once', () => {
    const followup = {
      followup_id: 'fu_1',
      ...input,
      by: 'owner',
      origin: null,
      noted_at: AT,
    } as const;
    const past = play([], [['owner', 'noteFollowup', input]]);
    expect(past).toHaveLength(1);
    given(past).when('noteFollowup', input, 'owner').thenEvents().thenReply({ followup });
  });
});
