import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type OperationName, openSession, type PastEvent } from '../../src/testing/index.ts';
import {
  accepted,
  acknowledged,
  asked,
  directed,
  elected,
  intervened,
  nominated,
  proposed,
  rejected,
  turnPosted,
  withdrawn,
} from '../past.ts';

const blockers = (past: readonly PastEvent[], options?: GivenOptions) =>
  given(past, options).when('list_blockers', {}, 'agent_a').reply().blockers;

const codes = (past: readonly PastEvent[]) =>
  blockers(past).map(({ code, record, responsible }) => `${code} ${record.id} ${responsible}`);

const author = elected('agent_a');

describe('blockers', () => {
  test('name the agent with the first turn while nobody is nominated', () => {
    expect(blockers([], { session: { first_turn: 'agent_b' } })).toEqual([
      {
        code: 'NO_CONTRACT_AUTHOR',
        record: { type: 'session', id: 'contract_author' },
        responsible: 'agent_b',
        message: 'No Contract Author is elected yet.',
        resolution: {
          text: 'Nominate a Contract Author with elect_contract_author, and give your reason.',
          tool: 'elect_contract_author',
          route: 'POST contract-election',
          payload: { candidate: '<agent_a or agent_b>', reason: '<your reason>' },
        },
      },
    ]);
  });

  test('in DRAFT name only the owner, who must start the session', () => {
    expect(blockers([], { isStarted: false })).toMatchObject([
      { code: 'NOT_STARTED', record: { type: 'session', id: 'start' }, responsible: 'owner' },
    ]);
  });

  test('name the other agent after one nomination, with its candidate', () => {
    expect(blockers([nominated('agent_a', 'agent_b')])).toMatchObject([
      { responsible: 'agent_b', resolution: { payload: { candidate: 'agent_b' } } },
    ]);
  });

  test('name the agent that nominated later if the nominations differ', () => {
    expect(blockers([nominated('agent_b', 'agent_b'), nominated('agent_a', 'agent_a')])).toMatchObject([
      {
        responsible: 'agent_a',
        message: 'The two nominations name different builders.',
        resolution: { payload: { candidate: 'agent_b' } },
      },
    ]);
  });

  test('contain an open decision for the other agent, and for its proposer once the other agent has accepted', () => {
    const past = [...author, proposed('agent_a', 'd_1')];
    const none = 'NO_REVISION contract agent_a';
    expect(codes(past)).toEqual(['DECISION_OPEN d_1 agent_b', none]);
    expect(codes([...past, accepted('agent_a', 'd_1')])).toEqual(['DECISION_OPEN d_1 agent_b', none]);
    expect(codes([...past, accepted('agent_b', 'd_1')])).toEqual(['DECISION_OPEN d_1 agent_a', none]);
    expect(codes([...past, accepted('agent_a', 'd_1'), accepted('agent_b', 'd_1')])).toEqual([none]);
  });

  test.each([
    ['withdrawn', withdrawn('agent_a', 'd_1')],
    ['rejected', rejected('agent_b', 'd_1')],
  ])('contain no decision that was %s', (_what, event) => {
    expect(codes([...author, proposed('agent_a', 'd_1'), event])).toEqual(['NO_REVISION contract agent_a']);
  });

  test('contain the current decision of a topic, and no superseded decision', () => {
    const changed = proposed('agent_b', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1' });
    expect(codes([...author, proposed('agent_a', 'd_1'), changed, accepted('agent_b', 'd_2')])).toEqual([
      'DECISION_OPEN d_2 agent_a',
      'NO_REVISION contract agent_a',
    ]);
  });

  test('contain only blocking questions', () => {
    const past = [asked('agent_a', 'q_1'), asked('agent_a', 'q_2', { blocking: true })];
    expect(codes([...author, ...past])).toContain('QUESTION_UNANSWERED q_2 agent_b');
    expect(codes([...author, ...past])).not.toContain('QUESTION_UNANSWERED q_1 agent_b');
  });

  test("name the owner for a blocking question to the owner, with the owner's operation", () => {
    expect(blockers([asked('agent_a', 'q_1', { to: 'owner', blocking: true })])).toContainEqual({
      code: 'QUESTION_UNANSWERED',
      record: { type: 'question', id: 'q_1' },
      responsible: 'owner',
      message: 'The blocking question q_1 is not answered yet.',
      resolution: {
        text: 'Answer question q_1.',
        tool: 'answerQuestion',
        payload: { question_id: 'q_1', text: '<your answer>' },
      },
    });
  });

  test('contain a blocking question of the owner until each target has answered it', () => {
    const past = [intervened('i_1'), intervened('i_2', { blocking: true }), acknowledged('agent_a', 'i_2')];
    expect(codes(past)).toEqual([
      'NO_CONTRACT_AUTHOR contract_author agent_a',
      'INTERVENTION_UNANSWERED i_2 agent_a',
      'INTERVENTION_UNANSWERED i_2 agent_b',
    ]);
  });

  test('contain a directive until each target has acknowledged it', () => {
    expect(codes([directed('i_1'), acknowledged('agent_a', 'i_1')])).toContain('DIRECTIVE_UNACKNOWLEDGED i_1 agent_b');
    expect(codes([directed('i_1'), acknowledged('agent_a', 'i_1')])).not.toContain(
      'DIRECTIVE_UNACKNOWLEDGED i_1 agent_a',
    );
  });
});

interface Blocked {
  readonly code: string;
  readonly past: readonly PastEvent[];
}

const BLOCKED: readonly Blocked[] = [
  { code: 'NO_CONTRACT_AUTHOR', past: [nominated('agent_a', 'agent_b')] },
  { code: 'NO_CONTRACT_AUTHOR', past: [nominated('agent_a', 'agent_a'), nominated('agent_b', 'agent_b')] },
  { code: 'DECISION_OPEN', past: [proposed('agent_a', 'd_1'), accepted('agent_a', 'd_1')] },
  { code: 'QUESTION_UNANSWERED', past: [turnPosted('agent_a', 0), asked('agent_a', 'q_1', { blocking: true })] },
  { code: 'INTERVENTION_UNANSWERED', past: [intervened('i_1', { blocking: true, targets: ['agent_b'] })] },
  { code: 'DIRECTIVE_UNACKNOWLEDGED', past: [directed('i_1', { targets: ['agent_a'] })] },
];

describe('the resolution of a blocker', () => {
  test.each(BLOCKED)('removes $code if the call is made unchanged', ({ code, past }) => {
    const session = given(past);
    const blocker = session
      .when('list_blockers', {}, 'agent_a')
      .reply()
      .blockers.find((candidate) => candidate.code === code);
    const { tool, payload } = blocker?.resolution ?? {};
    const role = blocker?.responsible ?? 'owner';
    const stored = session.when((tool ?? 'none') as OperationName, payload as never, role).events();
    const after = given([...past, ...stored])
      .when('list_blockers', {}, 'agent_a')
      .reply();
    expect(after.blockers.map((left) => left.code)).not.toContain(code);
  });

  test('removes a question to the owner when the owner answers', async () => {
    const { agentA, owner, sessionId } = await openSession();
    const questions = [{ text: 'Why?', to: 'owner' as const, blocking: true }];
    await agentA.call('post_turn', { summary: 'A turn.', questions });
    expect((await agentA.call('read_session_state')).blockers.count).toBe(2);
    await owner.answerQuestion(sessionId, { question_id: 'q_1', text: 'So.' });
    expect((await agentA.call('read_session_state')).blockers.count).toBe(1);
  });
});
