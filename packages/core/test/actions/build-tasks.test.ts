import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { building, type Call, declared, handshake, play } from '../story.ts';

const tasksOf = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b') =>
  given(past)
    .when('poll_actions', {}, role)
    .reply()
    .actions.filter(({ type }) => type === 'BUILD_TASK');

const idOf = (role: 'agent_a' | 'agent_b'): string => tasksOf(building, role)[0]?.action_id ?? '';
const tick = (by: 'agent_a' | 'agent_b', more = {}): Call => [by, 'complete_action', { action_id: idOf(by), ...more }];
const ticked = play(building, [tick('agent_b')]);
const progress = (past: readonly PastEvent[]) => given(past).when('view', {}, 'owner').reply().build_progress;

describe('the tasks of the build', () => {
  test('are opened for their assignees when the build is authorized', () => {
    expect(tasksOf(building, 'agent_b')).toEqual([
      {
        action_id: 'act_13',
        type: 'BUILD_TASK',
        text: 'Build task-stock. Complete this action only to show the owner before your handshake that the task is done: the handshake completes it too.',
        about: { type: 'task', id: 'task-stock' },
        status: 'PENDING',
        due_to: 'agent_b',
        from: 'system',
        opened_at: '2026-01-05T09:00:00.000Z',
      },
    ]);
    expect(tasksOf(building, 'agent_a').map(({ about }) => about)).toEqual([{ type: 'task', id: 'task-orders' }]);
  });

  test('do not prevent the owner from assigning a task', () => {
    given(building, { limits: { openActions: 5 } })
      .when('assignAction', { target: 'agent_a', text: 'Tag the commit.' }, 'owner')
      .reply();
  });

  test('are completed by an event that only the owner sees', () => {
    given(building)
      .when('complete_action', { action_id: 'act_13', note: 'With its own tests.' }, 'agent_b')
      .thenEvents(
        {
          kind: 'action.settled',
          actor: 'agent_b',
          data: {
            action_id: 'act_13',
            due_to: 'agent_b',
            type: 'BUILD_TASK',
            about: { type: 'task', id: 'task-stock' },
            note: 'With its own tests.',
          },
        },
        { kind: 'action.fulfilled', actor: 'system', data: { action_id: 'act_11', due_to: 'agent_b' } },
      )
      .thenReply({ action: { action_id: 'act_13', type: 'BUILD_TASK', status: 'COMPLETED' } });
    for (const reader of ['agent_a', 'agent_b', 'moderator'] as const)
      expect(given(ticked).when('read_messages', { after: 0 }, reader).reply().next_cursor).toBe(
        given(building).when('read_messages', { after: 0 }, reader).reply().next_cursor,
      );
  });

  test('are closed by the handshake of their builder, completed or not', () => {
    const past = play(building, [handshake('agent_b')]);
    expect(tasksOf(past, 'agent_b')).toEqual([]);
    expect(tasksOf(past, 'agent_a')).toHaveLength(1);
    expect(tasksOf(play(ticked, [handshake('agent_b')]), 'agent_b')).toEqual([]);
  });

  test('keep the note of their builder after its handshake, which only the owner sees', () => {
    const past = play(building, [handshake('agent_b')]);
    const noted = { action_id: 'act_13', note: 'With its own tests.' };
    given(past)
      .when('complete_action', noted, 'agent_b')
      .thenEvents({
        kind: 'action.settled',
        actor: 'agent_b',
        data: { ...noted, due_to: 'agent_b', type: 'BUILD_TASK', about: { type: 'task', id: 'task-stock' } },
      });
    const after = play(past, [['agent_b', 'complete_action', noted]]);
    expect(progress(after)).toEqual(progress(past));
    given(after).when('complete_action', noted, 'agent_b').thenEvents();
  });

  test('keep the time at which they were done when a note follows', () => {
    const noted = play(ticked, [tick('agent_b', { note: 'With its own tests.' })]);
    expect(noted).toHaveLength(ticked.length + 1);
    const doneAt = (past: readonly PastEvent[]) =>
      given(past, { msBetween: 1_000 }).when('view', {}, 'owner').reply().build_progress?.last_done_at;
    expect(doneAt(noted)).toBe(doneAt(ticked));
  });

  test('close BEGIN_BUILD when the last task of the builder is completed', () => {
    const pending = (role: 'agent_a' | 'agent_b') =>
      given(ticked)
        .when('read_session_state', {}, role)
        .reply()
        .pending_actions?.map(({ type }) => type);
    expect(pending('agent_b')).toEqual(['DECLARE_HANDSHAKE']);
    expect(pending('agent_a')).toEqual(['BEGIN_BUILD', 'DECLARE_HANDSHAKE']);
  });

  test('are optional: they are in no state view, no item of verify_next and no instruction', () => {
    for (const role of ['agent_a', 'agent_b'] as const) {
      const { pending_actions, instruction } = given(building).when('read_session_state', {}, role).reply();
      expect(pending_actions?.map(({ type }) => type)).toEqual(['BEGIN_BUILD', 'DECLARE_HANDSHAKE']);
      expect(instruction.tool).toBe('verify_handshake');
      const { items } = given(building).when('verify_next', {}, role).reply();
      expect(items.map(({ tool }) => tool)).toEqual(['verify_handshake']);
    }
    const paused = play(building, [['owner', 'pause', { reason: 'Lunch.' }]]);
    expect(given(paused).when('read_session_state', {}, 'agent_b').reply().instruction.text).not.toContain('act_13');
  });
});

describe('the progress of the build', () => {
  test('counts the completed tasks of each builder', () => {
    const none = { tasks: 1, done: 0, last_done_at: null, declared: false };
    expect(progress(building)).toEqual({
      tasks: 2,
      done: 0,
      last_done_at: null,
      agents: [
        { role: 'agent_a', ...none },
        { role: 'agent_b', ...none },
      ],
    });
    expect(progress(ticked)).toEqual({
      tasks: 2,
      done: 1,
      last_done_at: '2026-01-05T09:00:00.000Z',
      agents: [
        { role: 'agent_a', ...none },
        { role: 'agent_b', tasks: 1, done: 1, last_done_at: '2026-01-05T09:00:00.000Z', declared: false },
      ],
    });
  });

  test('counts all tasks of a builder that has declared its handshake', () => {
    expect(progress(play(building, [handshake('agent_a')]))).toMatchObject({
      done: 1,
      agents: [
        { role: 'agent_a', done: 1, declared: true },
        { role: 'agent_b', done: 0, declared: false },
      ],
    });
  });

  test('is shown from the authorization of the build to the second handshake', () => {
    expect(progress([])).toBeNull();
    expect(progress(declared)).toBeNull();
  });
});

describe('the note of complete_action', () => {
  test('is kept in the event of a task of the owner', () => {
    const given_ = play([], [['owner', 'assignAction', { target: 'agent_a', text: 'Tag the commit.' }]]);
    expect(
      given(given_).when('complete_action', { action_id: 'act_1', note: 'Tagged v1.' }, 'agent_a').events(),
    ).toMatchObject([{ kind: 'action.completed', data: { type: 'OWNER_TASK', note: 'Tagged v1.' } }]);
  });
});
