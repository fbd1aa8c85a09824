import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../describe-access.ts';
import { attempt, type Call, evidence, handshake, play } from '../story.ts';
import { A_COMMIT, B_COMMIT, board, declaredOf, items, NEW_COMMIT, testsWith } from './builds.ts';
import { BOUND, GITHUB, reported } from './workflows.ts';

const POLICY = { level: 'ci' as const, correlated: false };
const open = play(declaredOf({ tests: testsWith({ evidence_policy: POLICY }) }), [
  ['owner', 'bindWorkflow', BOUND],
  [
    'owner',
    'bindWorkflow',
    { ...BOUND, role: 'agent_b', forge: 'gitlab', repository: 'acme/app', workflow: '.gitlab-ci.yml' },
  ],
]);
const started = play(open, [attempt('agent_a', 'test-reserve')]);

const inAttempt = (by: 'agent_a' | 'agent_b', changes: object = {}) => reported(by, { attempt: 1, ...changes });
const PASS = { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' } as const;
const passOn = (past: readonly PastEvent[]) => given(past).when('verify_verify', PASS, 'agent_b');
const stepOf = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b') =>
  given(past).when('verify_next', {}, by).reply().instruction?.text;

describe('bindWorkflow', () => {
  describeOwner('bindWorkflow', { past: open, input: BOUND, statuses: [...NOT_ENDED] });

  test('takes the issuer of the forge unless another is given, and the board of the owner lists it', () => {
    given([...open])
      .when('bindWorkflow', BOUND, 'owner')
      .thenEvents({
        kind: 'workflow.accepted',
        actor: 'owner',
        data: { ...BOUND, issuer: GITHUB },
      });
    const { workflows } = given(open).when('board', {}, 'owner').reply();
    expect(workflows.map(({ role, issuer }) => [role, issuer])).toEqual([
      ['agent_a', GITHUB],
      ['agent_b', 'https://gitlab.com'],
    ]);
  });

  test.each([
    ['repository', 'shop'],
    ['workflow', '/etc/passwd'],
    ['ref', 'main'],
    ['issuer', 'file:///etc/passwd'],
    ['issuer', 'https://gitlab.com/'],
  ])('refuses the %s %s', (member, value) => {
    expect(
      given(open)
        .when('bindWorkflow', { ...BOUND, [member]: value }, 'owner')
        .refusal(),
    ).toMatchObject({
      error: 'INVALID_INPUT',
      issues: [{ path: member }],
    });
  });

  test('refuses the workflow of the other agent', () => {
    given(open)
      .when('bindWorkflow', { ...BOUND, role: 'agent_b' }, 'owner')
      .thenFails('INVALID_INPUT');
  });

  test('takes the same reusable workflow for both agents, each in its repository', () => {
    const reusable = { ...BOUND, workflow: 'acme/ci/.github/workflows/parley.yml@refs/heads/main' };
    const past = play(open, [['owner', 'bindWorkflow', reusable]]);
    const other = { ...reusable, role: 'agent_b', repository: 'acme/app' } as const;
    expect(given(past).when('bindWorkflow', other, 'owner').reply().workflow).toMatchObject({ role: 'agent_b' });
    given(past)
      .when('bindWorkflow', { ...reusable, role: 'agent_b' }, 'owner')
      .thenFails('INVALID_INPUT');
  });
});

describe('unbindWorkflow', () => {
  describeOwner('unbindWorkflow', { past: open, input: { role: 'agent_a' }, statuses: [...NOT_ENDED] });

  test('drops the reports that wait, and is not stored again', () => {
    const unbound = play([...open, reported('agent_a')], [['owner', 'unbindWorkflow', { role: 'agent_a' }]]);
    given(unbound).when('unbindWorkflow', { role: 'agent_a' }, 'owner').thenEvents();
    const later = play(unbound, [attempt('agent_a', 'test-reserve')]);
    expect(board(later).scenarios[0]?.attempts[0]?.evidence).toEqual([]);
    expect(stepOf(later, 'agent_a')).toBe(
      'Wait. Attempt test-reserve/1 lacks of agent_a: 1 more item of level ci. The contract demands a run of a workflow, and the owner has bound no workflow of agent_a: wait for the owner to call bindWorkflow.',
    );
  });
});

describe('a test of level ci', () => {
  test('says to push the declared commit and to let the workflow run, and lists no call that cannot give it', () => {
    expect(items(open, 'agent_a')[0]?.reason).toContain(
      `push the declared commit ${A_COMMIT} to "refs/heads/main" of "acme/shop", and let ".github/workflows/parley.yml" run`,
    );
    expect(items(started, 'agent_a').map(({ scenario_id }) => scenario_id)).not.toContain('test-reserve');
    expect(stepOf(started, 'agent_a')).toContain('Attempt test-reserve/1 lacks of agent_a: 1 more item of level ci.');
  });

  test('passes on the reports of both workflows, and on nothing that an agent sends', () => {
    const run = { argv: ['x'], exit_code: 0, duration_ms: 1, commit: A_COMMIT, dirty: false };
    const typed: Call[] = [
      evidence('agent_a', 'test-reserve', 1, { run }),
      evidence('agent_b', 'test-reserve', 1, { run: { ...run, commit: B_COMMIT } }),
    ];
    const forged = play(started, typed);
    expect(passOn(forged).refusal()).toMatchObject({
      missing: ['agent_a: 1 more item of level ci', 'agent_b: 1 more item of level ci'],
    });
    given(started)
      .when(
        'verify_submit_evidence',
        {
          ...PASS,
          ...{ kind: 'log', claim: 'c', summary: 's', request_id: 'r' },
          run: { ...run, workflow: {} },
        } as never,
        'agent_a',
      )
      .thenFails('INVALID_INPUT');
    expect(passOn([...started, inAttempt('agent_a')]).refusal()).toMatchObject({
      missing: ['agent_b: 1 more item of level ci'],
    });
    const both = [...started, inAttempt('agent_a'), inAttempt('agent_b')];
    const passed = play(both, [['agent_b', 'verify_verify', PASS]]);
    expect(board(passed).scenarios[0]).toMatchObject({ status: 'PASSED', level: 'ci' });
  });

  test('takes a report that came before the attempt, on its commit alone', () => {
    const early = play([...open, reported('agent_a'), reported('agent_b')], [attempt('agent_a', 'test-reserve')]);
    expect(board(early).scenarios[0]).toMatchObject({ status: 'AWAITING_VERDICT' });
    const moved = play(
      [...open, reported('agent_a')],
      [handshake('agent_a', { commit: NEW_COMMIT }), attempt('agent_a', 'test-reserve')],
    );
    expect(board(moved).scenarios[0]?.attempts[0]?.evidence).toEqual([]);
  });

  test('passes on a later green run, but not while there is only the failed one', () => {
    const red = [...started, inAttempt('agent_a', { failed: 1 }), inAttempt('agent_b')];
    passOn(red).thenFails('EVIDENCE_POLICY_UNMET');
    passOn([...red, inAttempt('agent_a')]).reply();
  });

  test('counts a report of a workflow for a test that demands less, and shows the lowest level', () => {
    const less = play(declaredOf({ tests: testsWith({ evidence_policy: { correlated: false } }) }), [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_b', 'test-reserve', 1),
    ]);
    const passed = play([...less, inAttempt('agent_a')], [['agent_b', 'verify_verify', PASS]]);
    expect(board(passed).scenarios[0]).toMatchObject({ status: 'PASSED', level: 'claimed' });
  });
});
