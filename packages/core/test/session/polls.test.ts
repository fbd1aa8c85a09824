import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { finds, findsAndHolds, judges, taken } from '../moderation.ts';
import { acknowledged, asked, directed, proposed, taskAssigned, turnPosted } from '../past.ts';
import { building, certified, decided, play, ready, review, submitted } from '../story.ts';

/** The members of the state view that the specification names. */
const NAMED = [
  'status',
  'round',
  'turn_index',
  'next_agent',
  'open_questions',
  'owner_directives',
  'latest_revision',
  'blockers',
  'instruction',
];

const head = (past: readonly PastEvent[]): number =>
  given(past).when('read_session_state', {}, 'agent_b').reply().cursor;

const bytesOf = (answer: object): number => Buffer.byteLength(JSON.stringify(answer));

const manyDirectives = Array.from({ length: 30 }, (_, index) => [
  directed(`i_${index + 1}`),
  acknowledged('agent_b', `i_${index + 1}`),
]).flat();

/** Sessions in which agent_b has nothing to do. */
const QUIET: readonly (readonly [state: string, past: readonly PastEvent[]])[] = [
  ['PLANNING, not its turn', []],
  ['PLANNING, ten decisions open', Array.from({ length: 10 }, (_, index) => proposed('agent_b', `d_${index + 1}`))],
  ['CONTRACT, no revision', decided],
  ['CONTRACT, reviewed by agent_b', play(submitted, [review('agent_b')])],
  ['CONTRACT, with a finding', play(submitted, [finds()])],
  ['CONTRACT, certified', certified],
  ['30 directives acknowledged', [...certified, ...manyDirectives]],
];

describe('a wait without news', () => {
  test('answers an author that waits for the moderator in at most 700 bytes', () => {
    const past = play(taken(submitted), [review('agent_b')]);
    const answer = given(past)
      .when('wait_for_my_turn', { wait: 25, after: head(past) }, 'agent_a')
      .reply();
    expect(answer.instruction.text).toContain('After three waits without news');
    expect(answer.timed_out).toBe(true);
    expect(bytesOf(answer)).toBeLessThanOrEqual(700);
  });

  test.each(QUIET)('answers in at most 700 bytes: %s', (_state, past) => {
    for (const answer of [
      given(past)
        .when('wait_for_my_turn', { wait: 25, after: head(past) }, 'agent_b')
        .reply(),
      given(past)
        .when('read_session_state', { wait: 25, after: head(past) }, 'agent_b')
        .reply(),
    ]) {
      expect(answer.timed_out).toBe(true);
      expect(Object.keys(answer)).toEqual(expect.arrayContaining(NAMED));
      expect(bytesOf(answer)).toBeLessThanOrEqual(700);
    }
  });

  test('answers a moderator in at most 700 bytes', () => {
    const answer = given(taken(play(certified, [judges('APPROVE')])))
      .when('read_session_state', { wait: 25 }, 'moderator')
      .reply();
    expect(bytesOf(answer)).toBeLessThanOrEqual(700);
  });

  test('cuts a revision to its id and status, and open records to their ids', () => {
    const past = [...certified, ...Array.from({ length: 30 }, (_, index) => directed(`i_${index + 1}`))];
    const answer = given(past)
      .when('wait_for_my_turn', { wait: 25, after: head(past) }, 'agent_b')
      .reply();
    expect(Object.keys(answer.latest_revision ?? {})).toEqual(['revision_id', 'status']);
    expect(answer).toMatchObject({
      owner_directives: expect.arrayContaining([{ intervention_id: 'i_1' }, { intervention_id: 'i_9' }]),
      left_out: { count: 20, how: 'Call read_session_state.' },
    });
  });

  test('shows ids of open questions in the list of questions, so that it does not look empty', () => {
    const past = [turnPosted('agent_a', 0), ...['q_1', 'q_2'].map((id) => asked('agent_a', id))];
    const answer = given(past)
      .when('wait_for_my_turn', { wait: 25, after: head(past) }, 'agent_b')
      .reply();
    expect(answer.timed_out).toBe(true);
    expect(answer.open_questions).toEqual([{ question_id: 'q_1' }, { question_id: 'q_2' }]);
    expect(answer.left_out).toBeUndefined();
    expect(bytesOf(answer)).toBeLessThanOrEqual(700);
  });

  test('names the first task by its id, with the call that shows it whole', () => {
    const past = [...play(certified, [findsAndHolds]), taskAssigned('act_9', 'agent_b')];
    const answer = given(past)
      .when('wait_for_my_turn', { wait: 25, after: head(past) }, 'agent_b')
      .reply();
    expect(answer).toMatchObject({
      instruction: { tool: 'ack_action', text: 'As before: action act_9 (OWNER_TASK).' },
      whole: 'read_session_state (GET state)',
    });
    expect(answer).not.toHaveProperty('due');
  });

  test('has only the members of the specification after a cursor if nothing is due, and without a cursor as many as before', () => {
    const answerTo = (after: { after?: number }) =>
      given(decided)
        .when('wait_for_my_turn', { wait: 25, ...after }, 'agent_b')
        .reply();
    expect(answerTo({ after: head(decided) })).toEqual({
      status: 'ACTIVE',
      phase: 'CONTRACT',
      round: 1,
      turn_index: 0,
      next_agent: null,
      open_questions: [],
      owner_directives: [],
      latest_revision: null,
      blockers: { count: 1 },
      cursor: head(decided),
      timed_out: true,
      instruction: {
        tool: 'wait_for_my_turn',
        text: 'Wait for agent_a to remove the blocker NO_REVISION on contract.',
      },
    });
    expect(bytesOf(answerTo({ after: head(decided) }))).toBeLessThanOrEqual(330);
    expect(Object.keys(answerTo({}))).toEqual(expect.arrayContaining([...NAMED, 'session_id', 'pending_actions']));
  });
});

describe('a wait with news after a cursor', () => {
  const TASK = taskAssigned('act_9', 'agent_b');
  const waited = (past: readonly PastEvent[], after: number | undefined) =>
    given(past).when('read_session_state', { wait: 25, after }, 'agent_b').reply();

  test('names a task up to the cursor by its id, and shows a later one whole', () => {
    const before = [...certified, TASK];
    const answer = waited([...before, taskAssigned('act_10', 'agent_b'), asked('agent_a', 'q_1')], head(before));
    expect(answer.timed_out).toBe(false);
    expect(answer.due).toMatchObject([
      { tool: 'answer_question', payload: { question_id: 'q_1' } },
      { tool: 'ack_action', payload: { action_id: 'act_9' } },
      { tool: 'ack_action', route: 'POST actions/ack', payload: { action_id: 'act_10' } },
    ]);
    expect(Object.keys(answer.due?.[1] ?? {})).toEqual(['tool', 'payload']);
    expect(answer.pending_actions).toEqual([
      {
        ...{ action_id: 'act_10', type: 'OWNER_TASK', text: expect.any(String), status: 'PENDING' },
        ...{ due_to: 'agent_b', from: 'owner', opened_at: expect.any(String) },
      },
    ]);
  });

  test.each([
    ['without a cursor', undefined],
    ['with the cursor 0', 0],
  ])('shows every action whole %s', (_how, after) => {
    expect(waited([...certified, TASK], after).pending_actions).toMatchObject([
      { action_id: 'act_9', type: 'OWNER_TASK' },
    ]);
  });

  test('leaves out author, reviewer and authorizations that have not changed since the cursor', () => {
    const past = [...certified, turnPosted('agent_a', 0), asked('agent_a', 'q_1')];
    const news = waited(past, head(certified));
    expect(Object.keys(news)).toEqual(expect.arrayContaining(NAMED));
    expect(news).not.toHaveProperty('contract_author');
    expect(news).not.toHaveProperty('technical_reviewer');
    expect(news).not.toHaveProperty('authorizations');
    expect(news.timed_out).toBe(false);
    expect(news.open_questions).toMatchObject([{ question_id: 'q_1', text: expect.any(String) }]);
    expect(waited(past, 3)).toMatchObject({
      ...{ contract_author: 'agent_a', technical_reviewer: 'agent_b' },
      authorizations: { build_authorized: false },
    });
  });

  test('shows everything after the cursor 0, which says that nothing was seen', () => {
    const past = [asked('agent_a', 'q_1')];
    expect(waited(past, 0)).toEqual(waited(past, undefined));
    expect(waited(past, 0)).toMatchObject({ contract_author: null, technical_reviewer: null });
  });

  test('shows an authorization that came after the cursor, and an author', () => {
    expect(waited(building, head(ready))).toMatchObject({ authorizations: { build_authorized: true } });
    expect(waited(decided, 3)).toMatchObject({ contract_author: 'agent_a' });
  });

  test('shows the moderator every action whole, because no other tool lists the actions of a moderator', () => {
    const past = taken([taskAssigned('act_9', 'moderator')]);
    const { cursor } = given(past).when('read_session_state', {}, 'moderator').reply();
    const news = given([...past, turnPosted('agent_a', 0)]).when(
      'read_session_state',
      { wait: 25, after: cursor },
      'moderator',
    );
    expect(news.reply()).toMatchObject({
      timed_out: false,
      pending_actions: [{ action_id: 'act_9', text: 'Write the changelog.' }],
    });
  });

  test('shows a read that does not wait whole', () => {
    const after = head(certified);
    const state = given(certified).when('read_session_state', { after }, 'agent_b').reply();
    expect(state).toMatchObject({ contract_author: 'agent_a', authorizations: { build_authorized: false } });
  });
});
