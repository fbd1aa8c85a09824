import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../describe-access.ts';
import {
  attempt,
  building,
  COMMITS,
  declared,
  deployed,
  failed,
  firstPassed,
  handshake,
  play,
  ready,
  releasable,
} from '../story.ts';
import { board, buildOf, NEW_COMMIT, next, runOf } from './builds.ts';

type Stage = 'build' | 'deployment' | 'activation';
const authorize = (stage: Stage, past: readonly PastEvent[]) => given(past).when('authorize', { stage }, 'owner');
const step = (past: readonly PastEvent[]) => given(past).when('view', {}, 'owner').reply().state.instruction;
const activated = play(deployed, [['owner', 'authorize', { stage: 'activation' }]]);
const manifest_id = 'm_1';

describe('authorize', () => {
  test.each(['PAUSED', 'ACTIVE'] as const)('works while the session is %s', (status) => {
    const pause: PastEvent = { kind: 'session.paused', actor: 'owner', data: { reason: 'Lunch.' } };
    const past = status === 'PAUSED' ? [...releasable, pause] : releasable;
    authorize('deployment', past).reply();
  });

  test('ends with the session', () => {
    const ended: PastEvent = { kind: 'session.ended', actor: 'owner', data: { end_reason: 'COMPLETED' } };
    authorize('deployment', [...releasable, ended]).thenFails('INVALID_TRANSITION', {
      status: 'ENDED',
      allowed_statuses: ['ACTIVE', 'PAUSED'],
    });
  });

  test.each([
    ['build', ready, 'build.authorized'],
    ['deployment', releasable, 'deployment.authorized'],
    ['activation', deployed, 'activation.authorized'],
  ] as const)('of the %s sends a note to the agents, and names its place', (stage, past, kind) => {
    const note = 'Port 4801 is free on the staging host.';
    const noted = given(past).when('authorize', { stage, note }, 'owner');
    expect(noted.events().find((event) => event.kind === kind)?.data).toMatchObject({ note });
    const { actions } = given(play(past, [['owner', 'authorize', { stage, note }]]))
      .when('poll_actions', {}, 'agent_a')
      .reply();
    const hints = actions.flatMap(
      ({ text }) => / The owner added a note, which read_messages with after \d+ .*$/.exec(text) ?? [],
    );
    expect(hints).toHaveLength(1);
    const after = Number(/\d+/.exec(hints[0] ?? '')?.[0]);
    const { messages } = given(play(past, [['owner', 'authorize', { stage, note }]]))
      .when('read_messages', { after }, 'agent_a')
      .reply();
    expect(messages[0]).toMatchObject({ kind, body: { note } });
  });

  test('of the activation again stores nothing, and is refused with a note: the agents would not get it', () => {
    const activated = play(deployed, [['owner', 'authorize', { stage: 'activation' }]]);
    given(activated).when('authorize', { stage: 'activation' }, 'owner').thenEvents();
    const noted = given(activated).when('authorize', { stage: 'activation', note: 'Port 4801 is free.' }, 'owner');
    expect(noted.refusal()).toMatchObject({
      error: 'INVALID_TRANSITION',
      message: 'The activation is authorized already: nothing changes, and your note is not stored.',
      hint: 'Tell the agents with direct.',
    });
  });

  test('of the deployment names manifest and commits and opens RELEASE', () => {
    const reportOpened = (action_id: string, due_to: 'agent_a' | 'agent_b'): PastEvent => ({
      kind: 'action.opened',
      actor: 'system',
      data: {
        action_id,
        due_to,
        type: 'REPORT_GATES',
        text: 'The deployment is authorized. Take the rollout steps of your side in the order of the contract (get_final_plan), check the deployment gates (gate-deploy), then complete this action and report in its note what you saw. The owner reads the note before authorizing the activation.',
        tool: 'complete_action',
        payload: { action_id, note: '<what you saw>' },
        obligation: `REPORT_GATES ${due_to} m_1 deployment`,
      },
    });
    authorize('deployment', releasable)
      .thenEvents(
        { kind: 'deployment.authorized', actor: 'owner', data: { manifest_id, commits: COMMITS } },
        { kind: 'phase.changed', actor: 'system', data: { from: 'VERIFY', to: 'RELEASE' } },
        reportOpened('act_16', 'agent_a'),
        reportOpened('act_17', 'agent_b'),
        { kind: 'action.fulfilled', actor: 'system', data: { action_id: 'act_15', due_to: 'moderator' } },
      )
      .thenReply({
        session_id: 'SessionOfTheGivenTests',
        status: 'ACTIVE',
        phase: 'RELEASE',
        round_limit: 3,
        authorizations: { build_authorized: true, deployment_authorized: true, activation_authorized: false },
        approvals: { stage: 'deployment', required: 1, given: [{ person: null, at: '2026-01-05T09:01:00.000Z' }] },
      });
  });

  test('of the activation names the same, once', () => {
    expect(
      authorize('activation', deployed)
        .events()
        .filter(({ kind }) => !kind.startsWith('action.')),
    ).toEqual([{ kind: 'activation.authorized', actor: 'owner', data: { manifest_id, commits: COMMITS } }]);
    authorize('activation', activated).thenEvents();
  });

  test.each<[Stage, string, readonly PastEvent[], string, string[]]>([
    ['deployment', 'before the build', ready, 'READINESS', ['VERIFY']],
    ['activation', 'before the build', ready, 'READINESS', ['RELEASE']],
    ['activation', 'before the deployment', releasable, 'VERIFY', ['RELEASE']],
    ['deployment', 'twice', deployed, 'RELEASE', ['VERIFY']],
    ['build', 'twice', building, 'VERIFY', ['READINESS']],
  ])('refuses the %s %s', (...row) => {
    const [stage, _when, past, phase, allowed_phases] = row;
    authorize(stage, past).thenFails('INVALID_TRANSITION', { phase, allowed_phases });
  });

  test('lists every check if one fails', () => {
    const { error, checks } = authorize('deployment', firstPassed).refusal();
    expect({ error, checks }).toMatchObject({
      error: 'CERTIFICATION_INCOMPLETE',
      checks: [
        { check: 'SCENARIOS_PASSED', ok: false, detail: 'Scenarios that have not passed: test-expiry READY.' },
        { check: 'NO_OPEN_DEFECT', ok: true },
        { check: 'HANDSHAKES_CURRENT', ok: true },
        { check: 'REQUIREMENTS_PROVEN', ok: false },
        { check: 'EVIDENCE_FROM_BOTH', ok: true },
        { check: 'NO_ACTIVE_HOLD', ok: true },
        { check: 'NO_BLOCKING_FINDING', ok: true },
      ],
    });
  });

  test.each<[string, readonly PastEvent[]]>([
    ['nothing has passed', declared],
    ['a pass is stale', play(releasable, [handshake('agent_a', { commit: NEW_COMMIT })])],
    ['a pass is in doubt', play(releasable, [attempt('agent_a', 'test-reserve')])],
    ['a side is not ready', play(releasable, [handshake('agent_b', { ready: false })])],
  ])('refuses the deployment while %s', (_what, past) => {
    authorize('deployment', past).thenFails('CERTIFICATION_INCOMPLETE');
  });

  test.each<[string, readonly PastEvent[]]>([
    ['a side is not ready', play(deployed, [handshake('agent_b', { ready: false })])],
    ['a pass is in doubt', play(deployed, [attempt('agent_a', 'test-reserve')])],
    ['a rerun has failed', play(deployed, runOf('test-reserve', 'agent_a', 2, 'FAIL'))],
  ])('refuses the activation while %s', (_what, past) => {
    authorize('activation', past).thenFails('CERTIFICATION_INCOMPLETE');
    expect(step(past).tool).toBe(null);
  });

  test('accepts the activation again once the checks hold', () => {
    const past = play(deployed, [handshake('agent_b', { ready: false }), handshake('agent_b')]);
    authorize('activation', past).reply();
  });

  test('is a task of the owner exactly when it would succeed', () => {
    expect(step(firstPassed).tool).toBe(null);
    expect(step(releasable)).toEqual({
      tool: 'authorize',
      text: 'Every certification check holds: authorize the deployment, or request changes. The moderator has not given its advice yet; you can authorize without it.',
    });
    expect(step(deployed)).toEqual({
      tool: 'authorize',
      text: 'Every check still holds, but agent_a and agent_b have not reported yet what they saw after the authorization of the deployment: wait for the report, or authorize the activation now.',
    });
    expect(step(activated).tool).toBe('end');
  });
});

describe('a contract without a test', () => {
  const untested = () => {
    const without = buildOf({ tests: [], safety_conditions: [] });
    return play(without, [handshake('agent_a'), handshake('agent_b')]);
  };

  test('cannot be released, and the owner gets the remaining steps', () => {
    authorize('deployment', untested()).thenFails('CERTIFICATION_INCOMPLETE');
    expect(next(untested(), 'agent_a')).toEqual([]);
    expect(next(untested(), 'agent_b')).toEqual([]);
    expect(step(untested())).toEqual({
      tool: 'requestChanges',
      text: 'The check SCENARIOS_PASSED is not met, and no agent has a call left that could meet this check: request changes of the contract.',
    });
  });
});

describe('reassignDefect', () => {
  describeOwner('reassignDefect', {
    past: failed,
    input: { defect_id: 'def_1', role: 'agent_a' },
    statuses: NOT_ENDED,
  });
  const reassign = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b' = 'agent_a', defect_id = 'def_1') =>
    given(past).when('reassignDefect', { defect_id, role }, 'owner');

  test('moves the defect and the action', () => {
    const [moved, ...rest] = reassign(failed).events();
    expect(moved).toEqual({
      kind: 'defect.reassigned',
      actor: 'owner',
      data: { defect_id: 'def_1', scenario_id: 'test-reserve', assigned_to: 'agent_a' },
    });
    expect(rest).toMatchObject([
      { kind: 'action.opened', data: { type: 'FIX_DEFECT', due_to: 'agent_a' } },
      { kind: 'action.fulfilled', data: { due_to: 'agent_b' } },
    ]);
    expect(reassign(failed).reply().defect).toMatchObject({
      defect_id: 'def_1',
      status: 'OPEN',
      assigned_to: 'agent_a',
    });
  });

  test('changes nothing if the defect is assigned so already', () => {
    expect(reassign(failed, 'agent_b').thenEvents().reply().defect.assigned_to).toBe('agent_b');
  });

  test('is refused with a reason if the defect is assigned so already: the reason would be lost', () => {
    const again = (past: readonly PastEvent[], reason: string) =>
      given(past).when('reassignDefect', { defect_id: 'def_1', role: 'agent_b', reason }, 'owner');
    expect(again(failed, 'Its log says so.').refusal()).toMatchObject({
      error: 'INVALID_TRANSITION',
      message: 'def_1 is assigned to agent_b already: nothing changes, and your reason is not stored.',
      hint: 'To tell agent_b why, direct it with direct. To move the defect, name the other agent.',
    });
    const moved = play(failed, [
      ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }],
      ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_b', reason: 'By its log.' }],
    ]);
    again(moved, 'By its log.').thenEvents();
    again(moved, 'By another log.').thenFails('INVALID_TRANSITION');
  });

  test('keeps a fix, which only the rerun can judge', () => {
    const fixed = play(failed, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }],
      ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }],
    ]);
    expect(board(fixed).defects).toMatchObject([{ status: 'FIXED', assigned_to: 'agent_a' }]);
    const back = play(fixed, [handshake('agent_b')]);
    expect(board(back).defects).toMatchObject([{ status: 'OPEN', assigned_to: 'agent_a' }]);
    const again = play(fixed, runOf('test-reserve', 'agent_a', 2, 'FAIL'));
    expect(next(again, 'agent_a')).toEqual(['verify_handshake test-reserve']);
  });

  test('refuses a defect that does not exist or is closed', () => {
    reassign(failed, 'agent_a', 'def_2').thenFails('UNKNOWN_RECORD', { record: { type: 'defect', id: 'def_2' } });
    const waived = play(failed, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }]]);
    reassign(waived).thenFails('DEFECT_CLOSED', { status: 'WAIVED' });
  });
});

describe('waiveDefect', () => {
  describeOwner('waiveDefect', { past: failed, input: { defect_id: 'def_1', reason: 'Rare.' }, statuses: NOT_ENDED });
  const waive = (past: readonly PastEvent[], input: object = {}) =>
    given(past).when('waiveDefect', { defect_id: 'def_1', reason: 'Rare.', ...input }, 'owner');

  test('settles the defect with the reason and ends the action', () => {
    const [waived, ...rest] = waive(failed).events();
    expect(waived).toEqual({
      kind: 'defect.waived',
      actor: 'owner',
      data: { defect_id: 'def_1', scenario_id: 'test-reserve', reason: 'Rare.' },
    });
    expect(rest.map(({ kind }) => kind)).toEqual(['action.fulfilled']);
    expect(waive(failed).reply().defect).toMatchObject({ status: 'WAIVED', waiver_reason: 'Rare.' });
  });

  test('does not pass the scenario', () => {
    const past = play(failed, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }]]);
    expect(board(past).certification.checks.map(({ check, ok }) => `${check} ${ok}`)).toEqual([
      'SCENARIOS_PASSED false',
      'NO_OPEN_DEFECT true',
      'HANDSHAKES_CURRENT true',
      'REQUIREMENTS_PROVEN false',
      'EVIDENCE_FROM_BOTH false',
      'NO_ACTIVE_HOLD true',
      'NO_BLOCKING_FINDING true',
    ]);
  });

  test('refuses a defect that does not exist or is closed, and requires a reason', () => {
    waive(failed, { defect_id: 'def_9' }).thenFails('UNKNOWN_RECORD', { record: { type: 'defect', id: 'def_9' } });
    waive(failed, { reason: '' }).thenFails('INVALID_INPUT');
    const waived = play(failed, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }]]);
    waive(waived).thenFails('DEFECT_CLOSED', { status: 'WAIVED' });
    const closed = play(failed, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }],
      ...runOf('test-reserve', 'agent_a', 2),
    ]);
    waive(closed).thenFails('DEFECT_CLOSED', { status: 'CLOSED' });
  });
});
