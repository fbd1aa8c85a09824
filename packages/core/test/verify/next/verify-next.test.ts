import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { actionAcknowledged, ended, paused, taskAssigned, turnPosted } from '../../past.ts';
import {
  approved,
  attempt,
  awaiting,
  building,
  certified,
  decided,
  declared,
  deployed,
  evidence,
  failed,
  handshake,
  play,
  releasable,
  submitted,
} from '../../story.ts';
import { declaredOf, items, NEW_COMMIT, next, testsWith } from '../builds.ts';

const open = play(declared, [attempt('agent_a', 'test-reserve')]);

describe('verify_next', () => {
  test.each<[string, readonly PastEvent[]]>([
    ['while it is the turn of the other agent', [turnPosted('agent_a', 0)]],
    ['once it has ended', [...building, ended]],
  ])('lists nothing %s', (_when, past) => {
    expect(next(past, 'agent_a')).toEqual([]);
  });

  test.each([
    ['DECLARE_HANDSHAKE', building],
    ['FIX_DEFECT', failed],
  ])('lists the work of the action %s once, also after the action was completed by hand', (type, past) => {
    const due = (by: 'agent_a' | 'agent_b') =>
      given(past)
        .when('poll_actions', {}, by)
        .reply()
        .actions.flatMap((action) => (action.type === type ? [{ by, action_id: action.action_id }] : []));
    const [{ by, action_id } = expect.unreachable()] = [...due('agent_a'), ...due('agent_b')];
    const ticked = play(past, [[by, 'complete_action', { action_id }]]);
    expect(items(ticked, by).map(({ tool }) => tool)).toEqual(['verify_handshake']);
  });

  test('lists in every phase the due work, and the work of one action once', () => {
    expect(items(approved, 'agent_a')).toMatchObject([{ tool: 'confirm_receipt', route: 'POST artifacts/receipt' }]);
    const seen = [...approved, actionAcknowledged('agent_a', 'act_3')];
    expect(items(seen, 'agent_a')).toMatchObject([{ tool: 'list_artifacts', route: 'GET artifacts', payload: {} }]);
    const asked = play([], [['owner', 'ask', { text: 'How long?', targets: ['agent_b'] }]]);
    expect(items(asked, 'agent_b')).toMatchObject([{ tool: 'answer_intervention' }]);
  });

  test.each<[string, readonly PastEvent[]]>([
    ['PLANNING', []],
    ['CONTRACT, nothing submitted', decided],
    ['CONTRACT, submitted', submitted],
    ['CONTRACT, certified', certified],
    ['READINESS', approved],
    ['VERIFY, nothing declared', building],
    ['VERIFY, declared', declared],
    ['RELEASE', deployed],
    ['a pause', [...decided, paused]],
  ])('begins with the call that instruction names: %s', (_phase, past) => {
    for (const role of ['agent_a', 'agent_b'] as const) {
      const { tool, text } = given(past).when('read_session_state', {}, role).reply().instruction;
      const [first] = items(past, role);
      expect(first ? [first.tool, first.reason] : ['wait_for_my_turn', text]).toEqual([tool, text]);
    }
  });

  test('lists only acknowledgements and answers while the session is paused', () => {
    const past = play([...building, paused], [['owner', 'ask', { text: 'How long?', targets: ['agent_a'] }]]);
    expect(items(past, 'agent_a').map(({ tool }) => tool)).toEqual(['answer_intervention', 'ack_action', 'ack_action']);
  });

  test.each<[string, readonly PastEvent[], string]>([
    [
      "the owner's task",
      [...releasable.slice(0, -1), taskAssigned('act_99', 'agent_a')],
      "ack_action, for the owner's task act_99.",
    ],
    [
      'a directive',
      play(open, [['owner', 'direct', { text: 'Keep the logs.', targets: ['agent_a'] }]]),
      'ack_intervention, for directive i_1 of the owner.',
    ],
    [
      'a question',
      play(open, [['agent_b', 'answer_question', { question_id: '', answer: '', questions: ['Which port?'] }]]),
      'answer_question, for your question q_1.',
    ],
    ['a scenario', open, 'verify_submit_evidence, for scenario test-reserve.'],
  ])('tells the other builder for what it waits: %s', (_what, past, end) => {
    const { instruction } = given(past).when('read_session_state', {}, 'agent_b').reply();
    expect(instruction.text).toBe(`Wait. The next call is that of agent_a: ${end}`);
  });

  test('returns the instruction, the phase and the status of the session', () => {
    given(releasable)
      .when('verify_next', {}, 'agent_a')
      .thenReply({
        items: [],
        instruction: {
          tool: 'wait_for_my_turn',
          route: 'GET state?wait=25',
          text: 'Every certification check holds. Wait for the owner to authorize the deployment.',
        },
        phase: 'VERIFY',
        status: 'ACTIVE',
      })
      .thenEvents();
    const { instruction, ...rest } = given(deployed).when('verify_next', {}, 'agent_b').reply();
    expect(rest).toMatchObject({ items: [{ tool: 'complete_action' }], phase: 'RELEASE', status: 'ACTIVE' });
    expect(instruction).toBeUndefined();
  });
});

describe('the payload that verify_next gives for', () => {
  test('questions and directives, which come before the verification', () => {
    const past = play(open, [
      ['agent_b', 'answer_question', { question_id: '', answer: '', questions: ['Which port?'] }],
      ['owner', 'direct', { text: 'Keep the logs.', targets: ['agent_a'] }],
      ['owner', 'ask', { text: 'How long?', targets: ['agent_a'] }],
    ]);
    expect(items(past, 'agent_a')).toMatchObject([
      {
        ...{ priority: 1, tool: 'ack_intervention', payload: { intervention_id: 'i_1' } },
        said: { from: 'owner', text: 'Keep the logs.' },
      },
      {
        ...{ tool: 'answer_intervention', payload: { intervention_id: 'i_2', text: '<your answer>' } },
        said: { from: 'owner', text: 'How long?' },
      },
      {
        ...{ tool: 'answer_question', payload: { question_id: 'q_1', answer: '<your answer>' } },
        said: { from: 'agent_b', text: 'Which port?' },
      },
      { tool: 'verify_submit_evidence' },
    ]);
    const seen = play(past, [
      ['agent_a', 'ack_intervention', { intervention_id: 'i_1' }],
      ['agent_a', 'ack_intervention', { intervention_id: 'i_2' }],
    ]);
    expect(next(seen, 'agent_a')).toEqual([
      'answer_question -',
      'verify_submit_evidence test-reserve',
      'answer_intervention -',
    ]);
    expect(items(seen, 'agent_a').at(-1)).toEqual({
      priority: 3,
      tool: 'answer_intervention',
      route: 'POST interventions/answer',
      payload: { intervention_id: 'i_2', text: '<your answer>' },
      reason: 'Question i_2 of the owner waits for your answer: send it with answer_intervention.',
      said: { from: 'owner', text: 'How long?' },
    });
  });

  test('a handshake', () => {
    expect(items(building, 'agent_b')).toEqual([
      {
        priority: 1,
        tool: 'verify_handshake',
        route: 'POST verify/handshake',
        payload: {
          service: 'stock-api',
          version: '<version that runs>',
          commit: '<commit that runs, 7 to 64 hex digits>',
          environment: '<local, test, ci, preview or staging>',
          address: '<URL at which the other agent reaches it>',
          ready: true,
          dependencies_healthy: true,
          fixture_version: '1',
        },
        reason:
          'The build of r_1 is authorized: build what your handoff says. When your service runs, declare it with verify_handshake. Verification needs the handshakes of both builders.',
      },
    ]);
  });

  test.each([
    [
      { ready: false },
      'Your handshake says that your service is not ready or not healthy. Call verify_handshake again when the service is ready and healthy.',
    ],
    [
      { dependencies_healthy: false },
      'Your handshake says that your service is not ready or not healthy. Call verify_handshake again when the service is ready and healthy.',
    ],
    [
      { fixture_version: '2' },
      'Your handshake names another fixture_version than the manifest: call verify_handshake again with the fixture_version of the manifest.',
    ],
  ])('a handshake that says %j', (said, reason) => {
    const past = play(declared, [handshake('agent_b', { ...said, service: 'stock-2', environment: 'ci' })]);
    expect(items(past, 'agent_b')).toMatchObject([
      { tool: 'verify_handshake', payload: { service: 'stock-2', environment: 'ci', fixture_version: '1' }, reason },
    ]);
    expect(next(past, 'agent_a')).toEqual([]);
  });

  test('the start of an attempt', () => {
    expect(items(declared, 'agent_a')).toEqual([
      {
        priority: 1,
        tool: 'verify_start_attempt',
        route: 'POST verify/attempts',
        payload: {
          scenario_id: 'test-reserve',
          evidence: [
            {
              kind: '<kind of evidence>',
              claim: '<what it shows>',
              summary: '<what you saw>',
              request_id: '<correlation id seen in the system under test>',
              evidence_key: 'first-1',
            },
          ],
        },
        reason:
          'Scenario test-reserve is ready: start it with verify_start_attempt, with what you saw in evidence if you have run it.',
        scenario_id: 'test-reserve',
      },
    ]);
  });

  test('the first evidence, which the starter gives', () => {
    expect(items(open, 'agent_b')).toEqual([]);
    expect(items(open, 'agent_a')).toEqual([
      {
        priority: 1,
        tool: 'verify_submit_evidence',
        route: 'POST verify/evidence',
        payload: {
          scenario_id: 'test-reserve',
          attempt: 1,
          kind: '<kind of evidence>',
          claim: '<what it shows>',
          summary: '<what you saw>',
          request_id: '<correlation id seen in the system under test>',
          assertions: [],
        },
        reason: 'Your evidence for test-reserve/1 is missing: 1 more item.',
        scenario_id: 'test-reserve',
      },
    ]);
  });

  test('the evidence of the other builder, with the required request_id and kind', () => {
    const policy = { per_agent_kinds: { agent_b: ['trace' as const, 'manual' as const] } };
    const wanted = play(declaredOf({ tests: testsWith({ evidence_policy: policy }) }), [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 1, { request_id: 'req-7' }),
    ]);
    expect(items(wanted, 'agent_b')).toMatchObject([
      {
        tool: 'verify_verify',
        payload: {
          verdict: '<PASS or FAIL>',
          evidence: [
            { kind: 'trace', request_id: 'req-7' },
            { kind: 'manual', request_id: 'req-7' },
          ],
        },
        reason:
          'Attempt test-reserve/1 lacks only your evidence: read what agent_a gave (given, else verify_board), then give your evidence and your verdict.',
      },
    ]);
    const half = play(wanted, [evidence('agent_b', 'test-reserve', 1, { request_id: 'req-7', kind: 'trace' })]);
    expect(items(half, 'agent_b')).toMatchObject([
      { payload: { evidence: [{ kind: 'manual', request_id: 'req-7' }] } },
    ]);
    expect(items(half, 'agent_a')).toEqual([]);
  });

  test('a verdict', () => {
    expect(items(awaiting, 'agent_a')).toEqual([]);
    expect(items(awaiting, 'agent_b')).toEqual([
      {
        priority: 1,
        tool: 'verify_verify',
        route: 'POST verify/verifications',
        payload: { scenario_id: 'test-reserve', attempt: 1, verdict: '<PASS or FAIL>', note: '<why>' },
        reason:
          'The evidence for test-reserve/1 meets its policy: read what agent_a gave (given, else verify_board), then give your verdict.',
        scenario_id: 'test-reserve',
        given: [
          {
            by: 'agent_a',
            kind: 'log',
            request_id: 'req-1',
            claim: 'It holds.',
            summary: 'Two units were reserved.',
          },
        ],
      },
    ]);
  });

  const broken = { assertions: [{ name: 'count', expected: 2, actual: 1, passed: false }] };
  test.each([true, false])('a verdict on what failed, correlated %s', (correlated) => {
    const past = play(declaredOf({ tests: testsWith({ evidence_policy: { correlated } }) }), [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 1, broken),
    ]);
    expect(items(past, 'agent_b')).toMatchObject([
      {
        tool: 'verify_verify',
        payload: { verdict: 'FAIL', note: '<what failed>', evidence: [{ kind: '<kind of evidence>' }] },
        reason:
          'Attempt test-reserve/1 contains a failed assertion: read what agent_a gave (given, else verify_board), then give your evidence and your verdict.',
        given: [broken],
      },
    ]);
    expect(next(past, 'agent_a')).toEqual([]);
    const both = play(past, [evidence('agent_b', 'test-reserve')]);
    expect(next(both, 'agent_a')).toEqual([]);
    expect(items(both, 'agent_b')).toMatchObject([
      {
        tool: 'verify_verify',
        payload: { scenario_id: 'test-reserve', attempt: 1, verdict: 'FAIL', note: '<what failed>' },
        reason:
          'The evidence for test-reserve/1 contains a failed assertion: read what agent_a gave (given, else verify_board), then give your verdict.',
      },
    ]);
  });

  test('a defect: first the new commit, then the fix', () => {
    expect(items(failed, 'agent_b')).toMatchObject([
      {
        tool: 'verify_handshake',
        reason:
          'Defect def_1 of test-reserve is assigned to you: fix it, then declare the new commit with verify_handshake. If agent_a has to fix it, say why with submit_finding (target def_1, blocking false): the owner decides.',
        scenario_id: 'test-reserve',
      },
    ]);
    expect(items(play(failed, [handshake('agent_b', { commit: NEW_COMMIT })]), 'agent_b')).toEqual([
      {
        priority: 1,
        tool: 'verify_submit_fix',
        route: 'POST verify/defects/fix',
        payload: { defect_id: 'def_1', note: '<what you changed>' },
        reason:
          'You have declared a new commit since defect def_1 of test-reserve was found: mark the defect fixed with verify_submit_fix.',
        scenario_id: 'test-reserve',
      },
    ]);
    expect(next(failed, 'agent_a')).toEqual([]);
  });
});
