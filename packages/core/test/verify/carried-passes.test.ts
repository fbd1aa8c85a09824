import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { handshake, play } from '../story.ts';
import { A_COMMIT, B_COMMIT, items, NEW_COMMIT, statuses } from './builds.ts';
import { carriedBy, DOCS, passCarried, passedWith, REASON, redeclared, staleOf } from './carries.ts';

const stale = staleOf('other_agent');
const carry = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b' = 'agent_b', changes: object = {}) => {
  const [, , input = {}] = carriedBy(by, changes);
  return given(past).when('verify_verify', input as never, by);
};

describe('changes of a handshake', () => {
  test('are shown with the handshake that declares them, and stay if the same commit is declared again', () => {
    const reply = given(passedWith())
      .when('verify_handshake', redeclared()[2] as never, 'agent_a')
      .reply();
    expect(reply.handshake).toMatchObject({ by: 'agent_a', changes: DOCS });
    const again = play(stale, [handshake('agent_a', { commit: NEW_COMMIT, branch: 'main' })]);
    expect(carry(again).reply()).toMatchObject({ status: 'PASSED' });
  });

  test('name at most 5 commits with 200 paths each', () => {
    const send = (changes: object) =>
      given(passedWith()).when('verify_handshake', { ...redeclared()[2], changes } as never, 'agent_a');
    send({ [A_COMMIT]: Array.from({ length: 201 }, (_, index) => `src/${index}.ts`) }).thenFails('INVALID_INPUT');
    send(Object.fromEntries(['1', '2', '3', '4', '5', '6'].map((digit) => [digit.repeat(40), []]))).thenFails(
      'INVALID_INPUT',
    );
    send({ main: ['a.ts'] }).thenFails('INVALID_INPUT');
    send({ [A_COMMIT]: ['x'.repeat(501)] }).thenFails('INVALID_INPUT');
  });
});

describe('verify_verify with the verdict CARRY', () => {
  test('carries the pass over if the contract lets the other agent do so', () => {
    carry(stale).thenEvents(passCarried('agent_b'));
    expect(carry(stale).reply()).toEqual({
      scenario_id: 'test-reserve',
      attempt: 1,
      verdict: 'CARRY',
      status: 'PASSED',
      defects: [],
    });
  });

  test('is refused for the agent whose commit differs, and if only the owner may carry', () => {
    carry(stale, 'agent_a').thenFails('NOT_ASSIGNED');
    carry(staleOf('owner')).thenFails('NOT_ASSIGNED');
    carry(staleOf()).thenFails('NOT_ASSIGNED');
    const bothMoved = play(stale, [handshake('agent_b', { commit: 'e'.repeat(40), changes: { [B_COMMIT]: ['x'] } })]);
    carry(bothMoved).thenFails('NOT_ASSIGNED');
    const byOwner = given(bothMoved).when('carryPass', { scenario_id: 'test-reserve', reason: REASON }, 'owner');
    expect(byOwner.reply()).toMatchObject({ attempt: 1, carried: { by: 'owner' } });
  });

  test('names the commit to which it carries, which must still be declared', () => {
    const moved = play(stale, [redeclared({ [A_COMMIT]: ['src/pay.ts'] }, 'd'.repeat(40))]);
    expect(carry(moved).refusal()).toMatchObject({
      error: 'ATTEMPT_CLOSED',
      message: `agent_a no longer declares ${NEW_COMMIT}: it declares ${'d'.repeat(40)}.`,
    });
    carry(stale, 'agent_b', { commit: undefined }).thenFails('INVALID_INPUT');
    carry(stale, 'agent_b', { note: undefined }).thenFails('INVALID_INPUT');
    carry(stale, 'agent_b', { deviations: ['x'] }).thenFails('INVALID_INPUT');
    carry(stale, 'agent_b', { attempt: 2 }).thenFails('UNKNOWN_RECORD', {
      record: { type: 'attempt', id: 'test-reserve/2' },
    });
    carry(stale, 'agent_b', { verdict: 'PASS' }).thenFails('INVALID_INPUT');
  });

  test('is offered to the other agent beside the rerun, which is offered as ever', () => {
    expect(items(stale, 'agent_b')).toMatchObject([
      {
        tool: 'verify_verify',
        scenario_id: 'test-reserve',
        payload: { scenario_id: 'test-reserve', attempt: 1, verdict: 'CARRY', commit: NEW_COMMIT },
        reason: `test-reserve/1 is stale; agent_a declares 2 changed paths since ${A_COMMIT.slice(0, 12)}. If none of them can change the result, carry the pass over; otherwise leave this call out, and agent_a runs the scenario again.`,
      },
    ]);
    expect(items(stale, 'agent_a')).toMatchObject([
      {
        tool: 'verify_start_attempt',
        reason:
          'Scenario test-reserve passed on commits that are no longer declared: run it again with verify_start_attempt. agent_b or the owner can carry the pass over instead: wait for that with wait_for_my_turn.',
      },
    ]);
    expect(items(staleOf('owner', handshake('agent_a', { commit: NEW_COMMIT })), 'agent_a')).toMatchObject([
      {
        reason: `Scenario test-reserve passed on commits that are no longer declared: run it again with verify_start_attempt. The contract lets the owner carry the pass over: for that, declare in changes of verify_handshake what differs from ${A_COMMIT}.`,
      },
    ]);
    expect(items(staleOf(), 'agent_a')).toMatchObject([
      {
        reason:
          'Scenario test-reserve passed on commits that are no longer declared: run it again with verify_start_attempt.',
      },
    ]);
    expect(statuses(play(stale, [carriedBy('agent_b')]))).toEqual(['test-reserve PASSED', 'test-expiry STALE']);
  });

  test('is offered to the agent that runs the scenario as its own choice, and the other agent is told both calls', () => {
    const moved = handshake('agent_b', { commit: NEW_COMMIT, changes: { [B_COMMIT]: ['README.md'] } });
    const past = staleOf('other_agent', moved);
    expect(items(past, 'agent_a')).toMatchObject([
      {
        tool: 'verify_verify',
        payload: { verdict: 'CARRY', commit: NEW_COMMIT },
        reason: `test-reserve/1 is stale; agent_b declares 1 changed path since ${B_COMMIT.slice(0, 12)}. If none of them can change the result, carry the pass over; otherwise leave this call out, and run the scenario again with verify_start_attempt.`,
      },
      {
        tool: 'verify_start_attempt',
        reason:
          'Scenario test-reserve passed on commits that are no longer declared: run it again with verify_start_attempt.',
      },
    ]);
    const { instruction } = given(past).when('read_session_state', {}, 'agent_b').reply();
    expect(instruction).toMatchObject({
      tool: 'wait_for_my_turn',
      text: 'Wait. The next call is that of agent_a: verify_verify with the verdict CARRY, or a rerun, for scenario test-reserve.',
    });
  });
});
