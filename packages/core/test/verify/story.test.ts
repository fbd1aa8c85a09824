import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import {
  attempt,
  awaiting,
  building,
  declared,
  deployed,
  evidence,
  failed,
  firstPassed,
  handshake,
  play,
  releasable,
  verdict,
} from '../story.ts';
import { board, NEW_COMMIT, next, statuses } from './builds.ts';

describe('the verification of a build', () => {
  test('starts with both handshakes', () => {
    expect(next(building, 'agent_a')).toEqual(['verify_handshake -']);
    expect(statuses(building)).toEqual(['test-reserve READY', 'test-expiry WAITING']);
    expect(next(declared, 'agent_a')).toEqual(['verify_start_attempt test-reserve']);
    expect(next(declared, 'agent_b')).toEqual([]);
  });

  test('continues with the evidence of both and the verdict of the other', () => {
    const open = play(declared, [attempt('agent_a', 'test-reserve')]);
    expect(next(open, 'agent_a')).toEqual(['verify_submit_evidence test-reserve']);
    expect(next(open, 'agent_b')).toEqual([]);
    const half = play(open, [evidence('agent_a', 'test-reserve')]);
    expect(given(half).when('verify_next', {}, 'agent_b').reply().items[0]?.payload).toMatchObject({
      attempt: 1,
      evidence: [{ request_id: 'req-1' }],
    });
    expect(statuses(awaiting)).toEqual(['test-reserve AWAITING_VERDICT', 'test-expiry WAITING']);
    expect(next(awaiting, 'agent_b')).toEqual(['verify_verify test-reserve']);
    expect(next(awaiting, 'agent_a')).toEqual([]);
    expect(statuses(firstPassed)).toEqual(['test-reserve PASSED', 'test-expiry READY']);
    expect(next(firstPassed, 'agent_b')).toEqual(['verify_start_attempt test-expiry']);
  });

  test('ends with every check true', () => {
    expect(board(releasable).certification).toMatchObject({ certified: true });
    const { instruction } = given(releasable).when('view', {}, 'owner').reply().state;
    expect(instruction.tool).toBe('authorize');
    expect(board(deployed)).toMatchObject({ phase: 'RELEASE', authorizations: { deployment_authorized: true } });
    const activated = play(deployed, [['owner', 'authorize', { stage: 'activation' }]]);
    expect(board(activated).authorizations).toEqual({
      build_authorized: true,
      deployment_authorized: true,
      activation_authorized: true,
    });
  });

  test('fixes a failure on a new commit and runs it again', () => {
    expect(statuses(failed)[0]).toBe('test-reserve FAILED');
    expect(board(failed).defects).toMatchObject([{ defect_id: 'def_1', status: 'OPEN', assigned_to: 'agent_b' }]);
    expect(next(failed, 'agent_b')).toEqual(['verify_handshake test-reserve']);
    expect(next(failed, 'agent_a')).toEqual([]);
    const redeclared = play(failed, [handshake('agent_b', { commit: NEW_COMMIT })]);
    expect(next(redeclared, 'agent_b')).toEqual(['verify_submit_fix test-reserve']);
    const fixed = play(redeclared, [['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks the row.' }]]);
    expect(next(fixed, 'agent_a')).toEqual(['verify_start_attempt test-reserve']);
    const rerun = play(fixed, [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 2, { request_id: 'req-9' }),
      evidence('agent_b', 'test-reserve', 2, { request_id: 'req-9' }),
      verdict('agent_b', 'test-reserve', 2),
    ]);
    expect(statuses(rerun)[0]).toBe('test-reserve PASSED');
    expect(board(rerun).defects).toMatchObject([{ defect_id: 'def_1', status: 'CLOSED' }]);
  });

  test('makes passes stale and revokes the release after another commit', () => {
    const past = play(deployed, [handshake('agent_a', { commit: NEW_COMMIT })]);
    expect(statuses(past)).toEqual(['test-reserve STALE', 'test-expiry STALE']);
    expect(board(past)).toMatchObject({ phase: 'VERIFY', authorizations: { deployment_authorized: false } });
    expect(board(past).scenarios[0]?.reason).toBe(
      `agent_a declared commit ${NEW_COMMIT} instead of ${'a'.repeat(40)}.`,
    );
    given(past).when('authorize', { stage: 'deployment' }, 'owner').thenFails('CERTIFICATION_INCOMPLETE');
  });
});
