import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { asked, turnPosted } from '../past.ts';
import { attempt, decided, declared, evidence, play } from '../story.ts';
import { declaredOf, testsWith, WIDE } from '../verify/builds.ts';

type Builder = 'agent_a' | 'agent_b';

const read = (past: readonly PastEvent[], by: Builder, input: { wait?: number; after?: number } = {}) =>
  given(past).when('read_session_state', input, by).reply();

const cursorOf = (past: readonly PastEvent[], by: Builder): number => read(past, by).cursor;

describe('the call that reads what others wrote', () => {
  const after = cursorOf(decided, 'agent_a');
  const told = [...decided, turnPosted('agent_b', 0)];

  test('is named after a cursor, also without a wait', () => {
    const unread = `read_messages (GET messages?after=${after})`;
    expect(read(told, 'agent_a', { wait: 25, after })).toMatchObject({ unread, due: [{ tool: 'submit_contract' }] });
    expect(read(told, 'agent_a', { after })).toMatchObject({ unread });
  });

  test.each<[string, Builder, { wait?: number; after?: number }]>([
    ['without a cursor', 'agent_a', {}],
    ['after the last message', 'agent_a', { wait: 25, after: cursorOf(told, 'agent_a') }],
    ['to the author of the message', 'agent_b', { after }],
  ])('is left out %s', (_when, by, input) => {
    expect(read(told, by, input)).not.toHaveProperty('unread');
  });
});

test('a turn that is due takes the answers to open questions, which are then no calls of their own', () => {
  const past = [turnPosted('agent_a', 0), asked('agent_a', 'q_1'), asked('agent_a', 'q_2')];
  const answer = '<your answer>';
  expect(read(past, 'agent_b')).toMatchObject({
    instruction: { tool: 'post_turn' },
    open_questions: [{ question_id: 'q_1' }, { question_id: 'q_2' }],
    due: [
      {
        tool: 'post_turn',
        payload: {
          summary: '<what you found and propose>',
          answers: [
            { question_id: 'q_1', answer },
            { question_id: 'q_2', answer },
          ],
        },
      },
    ],
  });
  expect(read(past, 'agent_b').due).toHaveLength(1);
  const early = [asked('agent_b', 'q_1')];
  expect(read([...early, turnPosted('agent_a', 0)], 'agent_a').due).toMatchObject([
    { tool: 'answer_question', payload: { question_id: 'q_1', answer } },
  ]);
});

describe('verification', () => {
  const given_by_a = { assertions: [{ name: 'stock', expected: 38, actual: 38, passed: true }] };
  const drafted = { claim: '<what it shows>', summary: '<what you saw>' };

  test('shows every attempt that waits for the judge as a verdict with its own evidence, and what the other gave', () => {
    const ids = ['test-lone', 'test-reserve'];
    const past = ids.reduce(
      (before, id) => play(before, [attempt('agent_a', id), evidence('agent_a', id, 1, given_by_a)]),
      declaredOf({ tests: WIDE }),
    );
    const item = (scenario_id: string) => ({
      tool: 'verify_verify',
      payload: {
        ...{ scenario_id, attempt: 1, verdict: '<PASS or FAIL>', note: '<why>' },
        evidence: [{ kind: '<kind of evidence>', ...drafted, request_id: 'req-1' }],
      },
      given: [
        {
          ...{ by: 'agent_a', kind: 'log', request_id: 'req-1' },
          ...{ claim: 'It holds.', summary: 'Two units were reserved.', ...given_by_a },
        },
      ],
    });
    expect(read(past, 'agent_b').due).toMatchObject(ids.map(item));
    expect(given(past).when('verify_next', {}, 'agent_b').reply().items).toMatchObject(ids.map(item));
    expect(read(past, 'agent_b').instruction.text).toContain('read what agent_a gave (given, else verify_board)');
  });

  const idsOf = (many: number) => Array.from({ length: many }, (_, index) => `test-${index}`);
  const wideOf = (many: number) => {
    const [lone] = WIDE;
    if (!lone) throw new Error('There is no test.');
    return declaredOf({ tests: [...WIDE, ...idsOf(many).map((id) => ({ ...lone, id }))] });
  };

  test('says once what differs only in its scenario, and that one call takes all', () => {
    const started = ['test-lone', 'test-reserve'].flatMap((id) => [attempt('agent_a', id), evidence('agent_a', id)]);
    const { instruction, due = [] } = read(play(declaredOf({ tests: WIDE }), started), 'agent_b');
    expect(instruction.text).toBe(
      'Attempt test-lone/1 lacks only your evidence: read what agent_a gave (given, else verify_board), then give your evidence and your verdict. One call takes all due verdicts, the rest in others.',
    );
    expect(due.map(({ reason, scenario_id }) => [reason, scenario_id])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('shows at most 12,000 bytes of evidence in one answer', () => {
    const ids = idsOf(6);
    const long = { summary: 'x'.repeat(2_700) };
    const past = play(
      wideOf(6),
      ids.flatMap((id) => [attempt('agent_a', id), evidence('agent_a', id, 1, long)]),
    );
    const due = read(past, 'agent_b').due ?? [];
    expect(due.map(({ given: shown = [], left_out }) => [shown.length, left_out?.how])).toEqual([
      ...[0, 1, 2, 3].map(() => [1, undefined]),
      ...[4, 5].map((id) => [0, `verify_board with scenario_id test-${id} and attempt 1.`]),
    ]);
    expect(Buffer.byteLength(JSON.stringify(due))).toBeLessThan(16_000);
  });

  test('leaves evidence out of a verdict that is too long for the list, and names the call that has it', () => {
    const long = evidence('agent_a', 'test-reserve', 1, { summary: 'x'.repeat(4_000) });
    const past = play(declared, [attempt('agent_a', 'test-reserve'), long, evidence('agent_a', 'test-reserve')]);
    const [item] = read(past, 'agent_b').due ?? [];
    expect(item?.given).toMatchObject([{ summary: 'Two units were reserved.' }]);
    expect(item?.left_out).toEqual({ count: 1, how: 'verify_board with scenario_id test-reserve and attempt 1.' });
  });

  test('drafts the evidence of a start by the kinds that the contract asks, and names those of the other', () => {
    const policy = { per_agent_kinds: { agent_a: ['log' as const], agent_b: ['trace' as const] }, min_items: 2 };
    const past = declaredOf({ tests: testsWith({ evidence_policy: policy }) });
    const request_id = '<correlation id seen in the system under test>';
    expect(read(past, 'agent_a').due).toMatchObject([
      {
        tool: 'verify_start_attempt',
        payload: {
          scenario_id: 'test-reserve',
          evidence: [
            { kind: 'log', ...drafted, request_id },
            { kind: '<kind of evidence>', ...drafted, request_id },
          ],
        },
      },
    ]);
    expect(read(past, 'agent_a').instruction.text).toContain('agent_b then gives trace of its own.');
  });
});
