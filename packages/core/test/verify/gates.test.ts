import { describe, expect, test } from 'vitest';
import { renderContract } from '../../src/areas/rendering/contract.ts';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed } from '../contract/sample-contract.ts';
import { type Call, handshake, play } from '../story.ts';
import { B_COMMIT, board, declaredOf, NEW_COMMIT, next, runOf } from './builds.ts';
import { GATES, gateRun, RUN, report, SHOWN } from './gated.ts';

const RUN_B = { argv: ['curl', 'x'], commit: B_COMMIT, report: undefined };

const passed = play(declaredOf({ gates: GATES }), [
  ...runOf('test-reserve', 'agent_a'),
  ...runOf('test-expiry', 'agent_b'),
]);
const brief = (past: readonly PastEvent[], stage: 'deployment' | 'activation') =>
  given(past).when('brief', { stage }, 'owner').reply();
const deploy: Call = ['owner', 'authorize', { stage: 'deployment' }];
const send = (past: readonly PastEvent[], [by, name, input]: Call) => given(past).when(name, input as never, by);

describe('a gate that demands a run', () => {
  const met = play(passed, [gateRun()]);

  test('is missing until a recorded run meets it, and no deployment is authorized before', () => {
    expect(send(passed, deploy).refusal()).toMatchObject({
      error: 'CERTIFICATION_INCOMPLETE',
      checks: expect.arrayContaining([
        { check: 'GATES_MET', ok: false, detail: 'Gates that no run meets: gate-deploy (agent_a).' },
      ]),
    });
    expect(brief(passed, 'deployment').gates).toMatchObject([
      { id: 'gate-deploy', level: null, standing: { missing: ['a recorded run by agent_a'] } },
    ]);
    expect(next(passed, 'agent_a')).toEqual(['verify_gate -']);
    expect(next(passed, 'agent_b')).toEqual([]);
    expect(given(passed).when('verify_next', {}, 'agent_a').reply().items[0]?.reason).toBe(
      'Gate gate-deploy is missing a recorded run by agent_a. `parley verify run --gate gate-deploy --junit FILE -- COMMAND` in your repository runs and sends it; COMMAND is the command that the contract names for the gate.',
    );
  });

  test('is met by that run, which the board, the brief and the report show with its level', () => {
    expect(board(met).certification).toMatchObject({
      certified: true,
      gates: [
        { gate_id: 'gate-deploy', run: RUN, level: 'recorded', missing: [] },
        { gate_id: 'gate-activate', level: null },
      ],
    });
    expect(brief(met, 'deployment')).toMatchObject({ missing: [], gates: [{ level: 'recorded' }] });
    send(met, deploy).reply();
    expect(given(met).when('report', {}, 'owner').reply().text).toMatch(
      /Gate `gate-deploy`.*\(met by a run of .*, recorded, message \d+\)/,
    );
  });

  test('stops the activation as well, and is met by the agent that the contract names alone', () => {
    const deployed = play(met, [deploy]);
    const activate: Call = ['owner', 'authorize', { stage: 'activation' }];
    expect(send(deployed, activate).refusal()).toMatchObject({
      error: 'CERTIFICATION_INCOMPLETE',
      gates: [{ gate_id: 'gate-activate', missing: ['a recorded run by agent_b'] }],
    });
    expect(brief(deployed, 'activation').missing).toEqual(['Gate gate-activate is missing a recorded run by agent_b.']);
    expect(given(deployed).when('view', {}, 'owner').reply().waits).toEqual([]);
    expect(send(deployed, gateRun({}, 'agent_a', 'gate-activate')).refusal().error).toBe('NOT_ASSIGNED');
    send(play(deployed, [gateRun(RUN_B, 'agent_b', 'gate-activate')]), activate).reply();
  });

  test('stands in the text of the contract', () => {
    expect(renderContract(changed({ gates: GATES }))).toContain(
      'a recorded run of `npm run smoke` by `agent_a`, which shows as passed: `smoke > answers`',
    );
  });

  test('does not exist under another name, and none is made of a gate that demands no run', () => {
    expect(send(passed, gateRun({}, 'agent_a', 'gate-x')).refusal()).toMatchObject({
      error: 'UNKNOWN_RECORD',
      record: { type: 'gate', id: 'gate-x' },
      hint: 'These demand one: gate-deploy, gate-activate.',
    });
    expect(board(play(declaredOf({}), [])).certification).not.toHaveProperty('gates');
    expect(board(play(declaredOf({}), [])).certification.checks).toHaveLength(7);
  });
});

const AGAIN = 'a recorded run by agent_a on its declared commit';

/** Runs that say more than was run. None meets the gate. */
const PLANTED: readonly (readonly [what: string, changes: object, missing: readonly string[]])[] = [
  ['a run on another commit', { commit: NEW_COMMIT }, [AGAIN]],
  ['a run on the commit of the other side', { commit: B_COMMIT }, [AGAIN]],
  ['a run on a dirty tree', { dirty: true }, [AGAIN]],
  ['a run of another command', { argv: ['true'] }, ['a run of the command that the contract names for it']],
  ['a failed run', { exit_code: 1 }, ['a run that does not fail']],
  [
    'a green run without a report',
    { report: undefined },
    ['the test "smoke > answers", which is in no report of a recorded run'],
  ],
  [
    'a green run without the named test',
    { report: report([{ name: 'another', status: 'passed' }]) },
    ['the test "smoke > answers", which is in no report of a recorded run'],
  ],
  [
    'a green run whose named test was skipped',
    {
      report: report(
        [
          { ...SHOWN[0], status: 'skipped' },
          { name: 'x', status: 'passed' },
        ],
        { passed: 1, skipped: 1 },
      ),
    },
    ['the test "smoke > answers", which was skipped'],
  ],
];

describe('a planted false run meets no gate:', () => {
  test.each(PLANTED)('%s', (_what, changes, missing) => {
    const past = play(passed, [gateRun(), gateRun(changes)]);
    const { certified, gates } = board(past).certification;
    expect([certified, gates?.[0]?.level, gates?.[0]?.missing]).toEqual([false, null, missing]);
    expect(send(past, deploy).refusal().error).toBe('CERTIFICATION_INCOMPLETE');
  });

  test('one on a commit that was declared no longer', () => {
    const past = play(passed, [gateRun(), handshake('agent_a', { commit: NEW_COMMIT })]);
    expect(board(past).certification.gates?.[0]).toMatchObject({ level: null, missing: [AGAIN] });
  });

  test.each([
    ['that names its own level', { level: 'ci' }, 'INVALID_INPUT'],
    ['with a credential', { output: 'postgres://app:Vq7-tR2x9Lm@db.internal/orders' }, 'CREDENTIAL_REJECTED'],
  ])('one %s', (_what, changes, error) => {
    expect(send(passed, gateRun(changes)).refusal().error).toBe(error);
  });

  test('a report in words of the agent', () => {
    const [ready] = given(passed).when('poll_actions', {}, 'agent_a').reply().actions;
    expect(ready).toBeUndefined();
    expect(brief(passed, 'deployment').gates[0]?.level).toBeNull();
  });
});
