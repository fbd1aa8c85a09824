import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { asked, turnPosted } from '../past.ts';
import { attempt, decided, declared, evidence, handshake, play } from '../story.ts';
import { declaredOf, NEW_COMMIT, runOf, testsWith, WIDE } from '../verify/builds.ts';

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
        evidence: [{ kind: '<kind of evidence>', ...drafted, request_id: 'req-1', evidence_key: 'first-1' }],
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
      'Attempt test-lone/1 lacks only your evidence: read what agent_a gave (given, else verify_board), then give your evidence and your verdict. One call takes up to 20 due verdicts, all but the first in others.',
    );
    expect(due.map(({ reason, scenario_id }) => [reason, scenario_id])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('says of a verdict that is new after the cursor what no call of this answer has said', () => {
    const one = play(declaredOf({ tests: WIDE }), [attempt('agent_a', 'test-lone'), evidence('agent_a', 'test-lone')]);
    const both = play(one, [attempt('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve')]);
    const { instruction, due = [] } = read(both, 'agent_b', { wait: 25, after: cursorOf(one, 'agent_b') });
    expect(instruction.text).toBe('As before: scenario test-lone.');
    expect(due).toMatchObject([
      { tool: 'verify_verify', scenario_id: 'test-lone' },
      {
        payload: { scenario_id: 'test-reserve' },
        given: [{ claim: 'It holds.' }],
        reason:
          'Attempt test-reserve/1 lacks only your evidence: read what agent_a gave (given, else verify_board), then give your evidence and your verdict. One call takes up to 20 due verdicts, all but the first in others.',
      },
    ]);
    expect(due[0]).toEqual({ tool: 'verify_verify', scenario_id: 'test-lone' });
  });

  test('leaves the room for evidence to the verdicts that are new after the cursor', () => {
    const long = { summary: 'x'.repeat(2_700) };
    const judged = (before: readonly PastEvent[], id: string) =>
      play(before, [attempt('agent_a', id), evidence('agent_a', id, 1, long)]);
    const seen = idsOf(5).slice(0, 4).reduce(judged, wideOf(5));
    const due = read(judged(seen, 'test-4'), 'agent_b', { wait: 25, after: cursorOf(seen, 'agent_b') }).due ?? [];
    expect(due.map(({ given: shown = [] }) => shown.length)).toEqual([0, 0, 0, 0, 1]);
  });

  test('repeats the own evidence, and shows some to each verdict, however much the other agent gives', () => {
    const [lone] = WIDE;
    if (!lone) throw new Error('There is no test.');
    const own = { ...lone, id: 'test-own', executor: 'agent_b' as const };
    const stale = play(declaredOf({ tests: [...WIDE, own] }), [
      ...runOf('test-own', 'agent_b'),
      handshake('agent_b', { commit: NEW_COMMIT }),
    ]);
    const said = { kind: 'log', claim: 'c', summary: 's', request_id: 'req-1' };
    const much = Array.from({ length: 20 }, () => said);
    const start = (scenario_id: string, evidence_: readonly object[] = much) =>
      ['agent_a', 'verify_start_attempt', { scenario_id, evidence: evidence_ }] as const;
    const flooded = play(stale, [
      ...Array.from({ length: 5 }, () => start('test-lone')),
      start('test-reserve', much.slice(0, 2)),
    ]);
    const items = given(flooded).when('verify_next', {}, 'agent_b').reply().items;
    expect(items.map(({ tool, payload, given: shown = [] }) => [tool, payload.scenario_id, shown.length])).toEqual([
      ['verify_verify', 'test-lone', 39],
      ['verify_verify', 'test-reserve', 2],
      ['verify_start_attempt', 'test-own', 0],
    ]);
    expect(items[2]?.payload.evidence).toMatchObject([{ claim: 'It holds.', evidence_key: 'former-1' }]);
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
            { kind: 'log', ...drafted, request_id, evidence_key: 'first-1' },
            { kind: '<kind of evidence>', ...drafted, request_id, evidence_key: 'first-2' },
          ],
        },
      },
    ]);
    expect(read(past, 'agent_a').instruction.text).toContain('agent_b then gives trace of its own.');
  });
});
