import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { attempt, declared, evidence, firstPassed, handshake, play, releasable, verdict } from '../../story.ts';
import { board, NEW_COMMIT, statuses } from '../builds.ts';

const ITEM = {
  scenario_id: 'test-reserve',
  attempt: 1,
  kind: 'log' as const,
  claim: 'It holds.',
  summary: 'Seen.',
  request_id: 'req-1',
};
const FAILING = [{ name: 'count', expected: 2, actual: 1, passed: false }];
const give = (past: readonly PastEvent[], changes: object = {}, by: 'agent_a' | 'agent_b' = 'agent_b') =>
  given(past).when('verify_submit_evidence', { ...ITEM, ...changes } as never, by);

describe('an evidence_key', () => {
  const open = play(declared, [attempt('agent_a', 'test-reserve')]);
  const keyed = { evidence_key: 'run-1/log' };
  const once = play(open, [['agent_b', 'verify_submit_evidence', { ...ITEM, ...keyed }]]);

  test('makes the repeated call answer as the first one, and store nothing', () => {
    const first = give(open, keyed).reply();
    expect(give(once, keyed).thenEvents().reply()).toEqual(first);
    expect(
      give(once, { ...keyed, assertions: [] })
        .thenEvents()
        .reply(),
    ).toEqual(first);
  });

  test('is refused with other content', () => {
    give(once, { ...keyed, claim: 'Other.' }).thenFails('IDEMPOTENCY_CONFLICT', { evidence_key: 'run-1/log' });
    give(once, { ...keyed, request_id: 'req-2' }).thenFails('IDEMPOTENCY_CONFLICT');
  });

  test('belongs to its builder and its attempt', () => {
    give(once, { ...keyed, claim: 'Other.' }, 'agent_a').reply();
    const again = play(once, [evidence('agent_a', 'test-reserve'), verdict('agent_b', 'test-reserve')]);
    const rerun = play(again, [attempt('agent_a', 'test-reserve')]);
    give(rerun, { ...keyed, attempt: 2, claim: 'Other.' }).reply();
  });

  test('answers also after the attempt has ended', () => {
    const judged = play(once, [verdict('agent_b', 'test-reserve', 1, 'FAIL')]);
    expect(give(judged, keyed).thenEvents().reply()).toMatchObject({ attempt: 1, status: 'FAILED' });
    give(judged, { ...keyed, claim: 'Other.' }).thenFails('IDEMPOTENCY_CONFLICT');
    give(judged, { evidence_key: 'run-1/other' }).thenFails('ATTEMPT_CLOSED', { status: 'FAILED' });
  });

  test('is shown to nobody', () => {
    const { messages } = given(once).when('read_messages', {}, 'agent_a').reply();
    expect(messages.at(-1)).toMatchObject({ kind: 'evidence.submitted' });
    expect(JSON.stringify(messages)).not.toContain('run-1/log');
  });

  test.each(['prüfung', 'two words', 'x'.repeat(201)])('cannot be %j', (evidence_key) => {
    give(open, { evidence_key }).thenFails('INVALID_INPUT');
  });
});

describe('evidence for an attempt that is over', () => {
  test.each<[string, readonly PastEvent[], 'agent_a' | 'agent_b', string]>([
    [
      'names the call that starts the next attempt',
      firstPassed,
      'agent_a',
      'Evidence needs an open attempt. If the verdict no longer holds, start the next attempt with verify_start_attempt and give the evidence there.',
    ],
    [
      'names the agent that starts the next attempt',
      firstPassed,
      'agent_b',
      'Evidence needs an open attempt. If the verdict no longer holds, ask agent_a with answer_question (questions) to start the next attempt, and give the evidence there.',
    ],
    [
      'names the attempt that is open',
      play(firstPassed, [attempt('agent_a', 'test-reserve')]),
      'agent_b',
      'Evidence needs an open attempt: give it for attempt 2.',
    ],
  ])('is refused with or without a failed assertion, and %s', (_what, past, by, hint) => {
    for (const assertions of [[], FAILING]) {
      give(past, { assertions }, by).thenFails('ATTEMPT_CLOSED', { status: 'PASSED', hint });
    }
  });
});

describe('a stored log with evidence of an earlier version for a passed attempt', () => {
  const doubted: readonly PastEvent[] = [
    ...releasable,
    { kind: 'evidence.submitted', actor: 'agent_a', data: { ...ITEM, assertions: FAILING, commit: 'a'.repeat(40) } },
  ];

  test('has the attempt open again after a failed assertion, to be judged again', () => {
    expect(board(doubted).scenarios[0]).toMatchObject({
      status: 'OPEN',
      attempts: [{ attempt: 1, status: 'OPEN', evidence_count: 3, verdict: null }],
    });
    expect(board(doubted).certification.certified).toBe(false);
    const failed = play(doubted, [verdict('agent_b', 'test-reserve', 1, 'FAIL')]);
    expect(statuses(failed)).toEqual(['test-reserve FAILED', 'test-expiry PASSED']);
  });

  test('passes again by a clean run', () => {
    const clean = play(doubted, [
      evidence('agent_a', 'test-reserve', 1, { request_id: 'req-3' }),
      evidence('agent_b', 'test-reserve', 1, { request_id: 'req-3' }),
      verdict('agent_b', 'test-reserve'),
    ]);
    expect(statuses(clean)).toEqual(['test-reserve PASSED', 'test-expiry PASSED']);
  });

  test('leaves no pass if the reopened attempt is aborted', () => {
    const aborted = play(doubted, [handshake('agent_a', { commit: NEW_COMMIT })]);
    expect(statuses(aborted)).toEqual(['test-reserve READY', 'test-expiry STALE']);
  });
});
