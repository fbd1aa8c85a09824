import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import {
  attempt,
  declared,
  deployed,
  evidence,
  firstPassed,
  handshake,
  play,
  releasable,
  verdict,
} from '../../story.ts';
import { board, items, NEW_COMMIT, statuses } from '../builds.ts';

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

describe('evidence for a passed attempt', () => {
  test('is added, and the pass stands', () => {
    expect(give(firstPassed).reply()).toMatchObject({
      status: 'PASSED',
      evaluation: { met: true, failing: [] },
    });
    const more = play(releasable, [['agent_b', 'verify_submit_evidence', ITEM]]);
    expect(board(more).scenarios[0]).toMatchObject({ status: 'PASSED', passed: { attempt: 1, evidence_count: 3 } });
    expect(board(more).certification.certified).toBe(true);
  });

  const doubted = play(releasable, [['agent_a', 'verify_submit_evidence', { ...ITEM, assertions: FAILING }]]);

  test('reopens the attempt with a failed assertion, and is judged again', () => {
    expect(give(firstPassed, { assertions: FAILING }).reply()).toMatchObject({
      status: 'OPEN',
      evaluation: { met: false, missing: [], failing: ['agent_b: an assertion failed in message #62'] },
    });
    expect(board(doubted).scenarios[0]).toMatchObject({
      status: 'OPEN',
      attempts: [{ attempt: 1, status: 'OPEN', evidence_count: 3, verdict: null }],
    });
    expect(board(doubted).certification).toMatchObject({
      certified: false,
      checks: [
        { check: 'SCENARIOS_PASSED', ok: false, detail: 'Scenarios that have not passed: test-reserve OPEN.' },
        {},
        {},
        {},
        {},
        {},
        {},
      ],
    });
    expect(items(doubted, 'agent_b')).toMatchObject([
      { tool: 'verify_verify', payload: { scenario_id: 'test-reserve', attempt: 1, verdict: 'FAIL' } },
    ]);
    const failed = play(doubted, [verdict('agent_b', 'test-reserve', 1, 'FAIL')]);
    expect(statuses(failed)).toEqual(['test-reserve FAILED', 'test-expiry PASSED']);
    expect(board(failed).defects).toMatchObject([{ defect_id: 'def_1', status: 'OPEN', attempt: 1 }]);
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

  test('prevents the authorization of the deployment', () => {
    given(doubted).when('authorize', { stage: 'deployment' }, 'owner').thenFails('CERTIFICATION_INCOMPLETE');
  });

  test.each<[string, readonly PastEvent[], string]>([
    ['once the deployment is authorized', deployed, 'PASSED'],
    ['once it is stale', play(firstPassed, [handshake('agent_a', { commit: NEW_COMMIT })]), 'PASSED'],
    ['while it runs again', play(firstPassed, [attempt('agent_a', 'test-reserve')]), 'PASSED'],
  ])('is refused %s', (_when, past, status) => {
    give(past).thenFails('ATTEMPT_CLOSED', { status });
  });
});
