import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { type Call, deployed, handshake, play } from '../story.ts';
import { NEW_COMMIT, runOf } from '../verify/builds.ts';

type Builder = 'agent_a' | 'agent_b';

const DEPLOYMENT =
  'The deployment is authorized. Take the rollout steps of your side in the order of the contract (get_final_plan), check the deployment gates (gate-deploy), then complete this action and report in its note what you saw. The owner reads the note before authorizing the activation.';
const ACTIVATION =
  'The activation is authorized. Take the last rollout steps of your side, check the activation gates (gate-activate), then complete this action and report in its note what you saw. The owner reads the note before ending the session.';

const stateOf = (past: readonly PastEvent[], role: Builder) => given(past).when('read_session_state', {}, role).reply();
const reportsDue = (past: readonly PastEvent[], role: Builder) =>
  given(past)
    .when('poll_actions', {}, role)
    .reply()
    .actions.filter(({ type }) => type === 'REPORT_GATES');
const idOf = (past: readonly PastEvent[], role: Builder): string => reportsDue(past, role)[0]?.action_id ?? '';
const report = (past: readonly PastEvent[], by: Builder, more: object = { note: 'Both gates hold.' }): Call => [
  by,
  'complete_action',
  { action_id: idOf(past, by), ...more },
];
const activate: Call = ['owner', 'authorize', { stage: 'activation' }];
const brief = (past: readonly PastEvent[]) => given(past).when('brief', { stage: 'activation' }, 'owner').reply();
const waitTexts = (past: readonly PastEvent[]) =>
  given(past)
    .when('view', {}, 'owner')
    .reply()
    .waits.map(({ text }) => text);

const waitsBlock = (past: readonly PastEvent[]) =>
  given(past)
    .when('view', {}, 'owner')
    .reply()
    .waits.map(({ wait_id, blocking }) => ({ wait_id, blocking }));

const reportedByA = play(deployed, [report(deployed, 'agent_a')]);
const activated = play(reportedByA, [activate]);

describe('the report on the gates', () => {
  test('is due from each builder when the deployment is authorized, and its instruction names the one call', () => {
    for (const [role, action_id] of [
      ['agent_a', 'act_16'],
      ['agent_b', 'act_17'],
    ] as const) {
      expect(reportsDue(deployed, role)).toEqual([
        {
          action_id,
          type: 'REPORT_GATES',
          text: DEPLOYMENT,
          tool: 'complete_action',
          route: 'POST actions/complete',
          payload: { action_id, note: '<what you saw>' },
          status: 'PENDING',
          due_to: role,
          from: 'system',
          opened_at: '2026-01-05T09:00:00.000Z',
        },
      ]);
      expect(stateOf(deployed, role).instruction).toEqual({
        tool: 'complete_action',
        route: 'POST actions/complete',
        text: `Action ${action_id} (REPORT_GATES): ${DEPLOYMENT}`,
      });
    }
  });

  test('is a message that everybody reads, after which the builder only waits', () => {
    given(deployed)
      .when('complete_action', { action_id: 'act_16', note: 'Both gates hold.' }, 'agent_a')
      .thenEvents({
        kind: 'action.completed',
        actor: 'agent_a',
        data: { action_id: 'act_16', due_to: 'agent_a', type: 'REPORT_GATES', note: 'Both gates hold.' },
      });
    expect(reportsDue(reportedByA, 'agent_a')).toEqual([]);
    expect(stateOf(reportedByA, 'agent_a').instruction).toEqual({
      tool: 'wait_for_my_turn',
      route: 'GET state?wait=25',
      text: 'The deployment is authorized. Wait for the owner to authorize the activation.',
    });
    expect(given(reportedByA).when('verify_next', {}, 'agent_a').reply().items).toEqual([]);
    expect(stateOf(reportedByA, 'agent_b').instruction.tool).toBe('complete_action');
  });

  test('is requested again after ack_action, and after a pause', () => {
    const acknowledged = play(deployed, [['agent_a', 'ack_action', { action_id: 'act_16' }]]);
    expect(stateOf(acknowledged, 'agent_a').instruction).toMatchObject({
      tool: 'complete_action',
      text: `Action act_16 (REPORT_GATES): ${DEPLOYMENT}`,
    });
    const paused = play(deployed, [['owner', 'pause', { reason: 'Lunch.' }]]);
    expect(stateOf(paused, 'agent_a').instruction.tool).toBe('wait_for_my_turn');
    given(paused).when('complete_action', { action_id: 'act_16' }, 'agent_a').reply();
    const resumed = play(paused, [['owner', 'resume', {}]]);
    expect(stateOf(resumed, 'agent_a').instruction.tool).toBe('complete_action');
  });

  test('waits while a certification check is not met', () => {
    const past = play(deployed, [handshake('agent_b', { ready: false })]);
    expect(stateOf(past, 'agent_a').instruction.tool).toBe('wait_for_my_turn');
    expect(stateOf(past, 'agent_b').instruction.tool).toBe('verify_handshake');
    expect(stateOf(play(past, [handshake('agent_b')]), 'agent_a').instruction.tool).toBe('complete_action');
    const failed = play(deployed, runOf('test-reserve', 'agent_a', 2, 'FAIL'));
    expect(stateOf(failed, 'agent_a').instruction.tool).toBe('wait_for_my_turn');
  });

  test('is replaced by the report on the activation, also for a builder that has not reported', () => {
    for (const role of ['agent_a', 'agent_b'] as const)
      expect(reportsDue(activated, role).map(({ text }) => text)).toEqual([ACTIVATION]);
    given(activated).when('complete_action', { action_id: 'act_17' }, 'agent_b').thenEvents();
    const told = play(activated, [report(activated, 'agent_b')]);
    expect(stateOf(told, 'agent_b').instruction.text).toBe(
      'The activation is authorized. Wait for the owner to end the session.',
    );
  });

  test('is closed by another commit and by a request for changes, and opened by the next authorization', () => {
    const recommitted = play(deployed, [handshake('agent_b', { commit: NEW_COMMIT })]);
    const changed = play(deployed, [['owner', 'requestChanges', { reason: 'Another field.' }]]);
    for (const past of [recommitted, changed])
      for (const role of ['agent_a', 'agent_b'] as const) expect(reportsDue(past, role)).toEqual([]);
    const rerun = [...runOf('test-reserve', 'agent_a', 2), ...runOf('test-expiry', 'agent_b', 2)];
    const again = play(recommitted, [...rerun, ['owner', 'authorize', { stage: 'deployment' }]]);
    expect(idOf(again, 'agent_a')).toBe('act_19');
    const reported = play(reportedByA, [handshake('agent_b', { commit: NEW_COMMIT }), ...rerun]);
    expect(idOf(play(reported, [['owner', 'authorize', { stage: 'deployment' }]]), 'agent_a')).toBe('act_19');
  });
});

describe('what the owner is told of the reports on the gates', () => {
  test('names in the brief and in the wait who has not reported', () => {
    expect(brief(deployed).gate_reports).toEqual([
      { role: 'agent_a', reported: false, note: null },
      { role: 'agent_b', reported: false, note: null },
    ]);
    expect(brief(reportedByA).gate_reports).toEqual([
      { role: 'agent_a', reported: true, note: 'Both gates hold.' },
      { role: 'agent_b', reported: false, note: null },
    ]);
    expect(waitTexts(reportedByA)).toEqual([
      'Every check still holds, but agent_b has not reported yet what it saw after the authorization of the deployment: wait for the report, or authorize the activation now.',
    ]);
    const both = play(reportedByA, [report(reportedByA, 'agent_b', {})]);
    expect(brief(both).gate_reports).toMatchObject([{}, { role: 'agent_b', reported: true, note: null }]);
    expect(waitTexts(both)).toEqual(['Every check still holds: authorize the activation, or refuse it and say why.']);
  });

  test('lets the absence of a silent builder block the session until the builder has reported', () => {
    const absent = (past: readonly PastEvent[], silentAfterMs = 1) =>
      given(past, { limits: { silentAfterMs } })
        .when('view', {}, 'owner')
        .reply()
        .waits.flatMap(({ kind, record, blocking }) => (kind === 'AGENT_ABSENT' ? [[record.id, blocking]] : []));
    expect(absent(deployed)).toEqual([
      ['agent_a', true],
      ['agent_b', true],
    ]);
    expect(absent(reportedByA)).toEqual([['agent_b', true]]);
  });
});

describe('the task of the owner that follows the reports', () => {
  const reportedByBoth = play(reportedByA, [report(reportedByA, 'agent_b')]);

  test('blocks the session only after both reports', () => {
    expect(waitsBlock(deployed)).toEqual([{ wait_id: 'ACTIVATION:m_1', blocking: false }]);
    expect(waitsBlock(reportedByA)).toEqual([{ wait_id: 'ACTIVATION:m_1', blocking: false }]);
    expect(waitsBlock(reportedByBoth)).toEqual([{ wait_id: 'ACTIVATION:m_1', blocking: true }]);
    const activatedAfterBoth = play(reportedByBoth, [activate]);
    const reportedAgain = play(activatedAfterBoth, [report(activatedAfterBoth, 'agent_a')]);
    const end = 'END:SessionOfTheGivenTests';
    expect(waitsBlock(activatedAfterBoth)).toEqual([{ wait_id: end, blocking: false }]);
    expect(waitsBlock(play(reportedAgain, [report(reportedAgain, 'agent_b')]))).toEqual([
      { wait_id: end, blocking: true },
    ]);
  });
});
