import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { approve, type Call, COMMITS, certified, decided, releasable, submit } from '../story.ts';
import { LIGHT_CONTRACT } from './light-contract.ts';
import {
  inLight,
  LIGHT,
  lightApproval,
  lightApproved,
  lightBuilding,
  lightCertified,
  lightPassedWith,
  lightReleasable,
  lightSubmitted,
} from './light-story.ts';

const light = (past: readonly PastEvent[]) => given(past, LIGHT);
const kindsOf = (events: readonly PastEvent[]): string[] =>
  events.map(({ kind }) => kind).filter((kind) => !kind.startsWith('action.'));
const stepOf = (past: readonly PastEvent[]) =>
  (['agent_a', 'agent_b'] as const).map((role) => {
    const { instruction } = light(past).when('read_session_state', {}, role).reply();
    return [instruction.tool, instruction.text];
  });
const waitsOf = (past: readonly PastEvent[]) =>
  light(past)
    .when('view', {}, 'owner')
    .reply()
    .waits.map(({ kind, operation, payload }) => ({ kind, operation, payload }));

const RUN = { argv: ['npm', 'test'], exit_code: 0, duration_ms: 10, commit: COMMITS.agent_a, dirty: false };

const ann = { id: 'person-ann', name: 'Ann', role: 'approver' } as const;
const bob = { id: 'person-bob', name: 'Bob', role: 'approver' } as const;

describe('approveContract in a light session', () => {
  test('freezes the manifest; the owner then authorizes the build, for which no agent is asked for anything', () => {
    expect(stepOf(lightApproved)).toEqual([
      ['wait_for_my_turn', 'The contract is approved. Wait for the owner to authorize the build.'],
      ['wait_for_my_turn', 'The contract is approved. Wait for the owner to authorize the build.'],
    ]);
    expect(waitsOf(lightApproved)).toEqual([{ kind: 'BUILD', operation: 'authorize', payload: { stage: 'build' } }]);
    const { missing } = light(lightApproved).when('brief', {}, 'owner').reply();
    expect(missing).toEqual([]);
    const build = light(lightApproved).when('authorize', { stage: 'build' }, 'owner');
    expect(kindsOf(build.events())).toEqual(['build.authorized', 'phase.changed']);
    expect(light(lightApproved).when('poll_actions', {}, 'agent_a').reply().actions).toEqual([]);
  });

  test('authorizes the build in the same append with authorize_build', () => {
    const call = light(lightCertified).when('approveContract', { ...lightApproval, authorize_build: true }, 'owner');
    expect(kindsOf(call.events())).toEqual(['contract.approved', 'phase.changed', 'build.authorized', 'phase.changed']);
    expect(call.reply()).toMatchObject({ phase: 'VERIFY' });
    expect(stepOf(lightBuilding)[0]).toEqual([
      'verify_handshake',
      'The build of r_1 is authorized: build what your handoff says (fetch_artifact handoff-agent-a.md). When your service runs, declare it with verify_handshake. Verification needs the handshakes of both builders.',
    ]);
    const { actions } = light(lightBuilding).when('poll_actions', {}, 'agent_a').reply();
    expect(actions[0]?.text).toContain('build what your handoff says (fetch_artifact handoff-agent-a.md)');
  });

  test('acts with the approval that completes', () => {
    const two = { session: { profile: 'light', required_approvals: 2 } } as const;
    const input = { ...lightApproval, authorize_build: true };
    const first = given(lightCertified, two).when('approveContract', input, ann);
    expect(kindsOf(first.events())).toEqual(['approval.given']);
    const second = given([...lightCertified, ...first.events()], two).when('approveContract', input, bob);
    expect(kindsOf(second.events())).toEqual([
      'contract.approved',
      'phase.changed',
      'build.authorized',
      'phase.changed',
    ]);
  });

  test('stores nothing while a hold stands', () => {
    const held = inLight(lightCertified, [
      [
        'moderator',
        'submit_moderator_finding',
        {
          category: 'SAFETY',
          text: 'No.',
          resolution_criteria: 'Yes.',
          request_hold: true,
          hold_reason: 'Wait.',
          blocking: false,
        },
      ],
    ]);
    const call = light(held).when('approveContract', { ...lightApproval, authorize_build: true }, 'owner');
    expect(call.refusal()).toMatchObject({ error: 'NOT_CERTIFIED' });
  });

  test('refuses authorize_build in a session of the profile full, and says why', () => {
    const [, , input] = approve;
    const call = given(certified).when(
      'approveContract',
      { ...(input as typeof lightApproval), authorize_build: true },
      'owner',
    );
    expect(call.refusal()).toMatchObject({
      error: 'INVALID_TRANSITION',
      hint: 'Approve without authorize_build, read the readiness answers of both agents, then authorize the build.',
    });
  });
});

test('a step names what the owner can decide with it: in a light session the build, in a group to wait for the others', () => {
  const optionsOf = (past: readonly PastEvent[], session: object) => {
    const view = given(past, { session }).when('view', {}, 'owner').reply();
    const brief = given(past, { session }).when('brief', {}, 'owner').reply();
    return [...view.waits.map(({ options }) => options), brief.options];
  };
  const inGroup = { profile: 'light', group: 'checkout' } as const;
  expect(optionsOf(lightCertified, LIGHT.session)).toEqual([['authorize_build'], ['authorize_build']]);
  expect(optionsOf(lightApproved, inGroup)).toEqual([undefined, undefined]);
  expect(optionsOf(lightReleasable, inGroup)).toEqual([['group_ready'], ['group_ready']]);
  expect(optionsOf(lightReleasable, LIGHT.session)).toEqual([undefined, undefined]);
  expect(optionsOf(certified, {})).toEqual([undefined, undefined]);
  expect(optionsOf(releasable, { group: 'checkout' })).toEqual([['group_ready'], ['group_ready']]);
});

describe('brief of the approval of a light contract', () => {
  test('asks the owner to read what the author wrote, and a section that was taken out after it was read', () => {
    const briefOf = (past: readonly PastEvent[]) => light(past).when('brief', { stage: 'approval' }, 'owner').reply();
    const WRITTEN = [
      'requirements',
      'title',
      'summary',
      'decisions',
      'interfaces',
      'tasks',
      'tests',
      'fixture_version',
    ];
    const { unread, reading } = briefOf(lightSubmitted);
    expect([unread.toSorted(), reading]).toEqual([WRITTEN.toSorted(), { read: 0, of: 6 }]);

    const risks = [{ id: 'risk-1', text: 'It is late.', mitigation: 'Begin.', assignee: 'agent_a' as const }];
    const risky = inLight(decided, [submit('', { ...LIGHT_CONTRACT, risks })]);
    expect(briefOf(risky)).toMatchObject({ reading: { read: 0, of: 7 } });
    const again = inLight(risky, [
      ['owner', 'markRead', { revision_id: 'r_1', sections: ['all'] }],
      submit('r_1', LIGHT_CONTRACT),
    ]);
    expect(briefOf(again)).toMatchObject({ unread: ['risks'], reading: { read: 6, of: 7 } });
  });
});

describe('authorize build in a light session', () => {
  test('is stopped by a report BLOCKED that an agent gave unasked', () => {
    const { manifest } = light(lightApproved).when('list_artifacts', {}, 'agent_a').reply();
    const report = {
      ...lightApproval,
      verdict: 'BLOCKED' as const,
      handshake_sha256: manifest?.handshake_sha256 ?? '',
      shared_contract_sha256: manifest?.shared_contract_sha256 ?? '',
      fixture_version: '1',
      answers: [],
      blockers: ['No access.'],
    };
    const blocked = inLight(lightApproved, [['agent_a', 'submit_readiness', report]]);
    expect(light(blocked).when('authorize', { stage: 'build' }, 'owner').refusal()).toMatchObject({
      error: 'NOT_READY',
      waiting_for: ['agent_a'],
    });
    expect(waitsOf(blocked).map(({ kind }) => kind)).toEqual(['REPORTED_BLOCKED']);
  });
});

describe('authorize release', () => {
  test('is the only decision that waits for the owner when every check holds', () => {
    expect(waitsOf(lightReleasable)).toEqual([
      { kind: 'RELEASE', operation: 'authorize', payload: { stage: 'release' } },
    ]);
    expect(light(lightReleasable).when('brief', {}, 'owner').reply()).toMatchObject({ stage: 'release', missing: [] });
    expect(stepOf(lightReleasable)[1]).toEqual([
      'wait_for_my_turn',
      'Every certification check holds. Wait for the owner to release, which ends the session.',
    ]);
  });

  test('authorizes deployment and activation and ends the session in one append', () => {
    const call = light(lightReleasable).when('authorize', { stage: 'release', note: 'Thanks.' }, 'owner');
    expect(call.events().filter(({ kind }) => !kind.startsWith('action.'))).toMatchObject([
      { kind: 'deployment.authorized' },
      { kind: 'phase.changed', data: { from: 'VERIFY', to: 'RELEASE' } },
      { kind: 'activation.authorized' },
      { kind: 'session.ended', data: { end_reason: 'COMPLETED', note: 'Thanks.' } },
    ]);
    expect(call.reply()).toMatchObject({
      status: 'ENDED',
      authorizations: { deployment_authorized: true, activation_authorized: true },
    });
  });

  test('needs as many approvers as the deployment, and an approval of the deployment alone is none of the release', () => {
    const two = { session: { profile: 'light', required_approvals: 2 } } as const;
    const release = { stage: 'release' } as const;
    const first = given(lightReleasable, two).when('authorize', release, ann);
    expect(first.events()).toMatchObject([{ kind: 'approval.given', data: { stage: 'release' } }]);
    const after = [...lightReleasable, ...first.events()];
    expect(given(after, two).when('authorize', release, ann).events()).toEqual([]);
    expect(given(after, two).when('brief', {}, 'owner').reply().approvals).toMatchObject({
      stage: 'release',
      required: 2,
      given: [{ person: { name: 'Ann' } }],
    });
    const second = given(after, two).when('authorize', release, bob);
    expect(kindsOf(second.events())).toEqual([
      'deployment.authorized',
      'phase.changed',
      'activation.authorized',
      'session.ended',
    ]);
    const { approvals } = given([...after, ...second.events()], two)
      .when('view', {}, 'owner')
      .reply();
    expect(approvals.map(({ stage, given: by }) => [stage, by.map(({ person }) => person?.name)])).toEqual([
      ['approval', [undefined]],
      ['build', [undefined]],
      ['deployment', ['Ann', 'Bob']],
      ['activation', ['Ann', 'Bob']],
    ]);
    const deployed = given(lightReleasable, two).when('authorize', { stage: 'deployment' }, ann).events();
    expect(
      kindsOf(
        given([...lightReleasable, ...deployed], two)
          .when('authorize', release, bob)
          .events(),
      ),
    ).toEqual(['approval.given']);
  });

  test('waits for the runs that gates of both stages demand', () => {
    const gates = (['deployment', 'activation'] as const).map((stage) => ({
      id: `gate-${stage}`,
      title: 'G',
      stage,
      condition: 'It runs.',
      run: { by: 'agent_a' as const },
    }));
    const passed = lightPassedWith(gates);
    const { items } = light(passed).when('verify_next', {}, 'agent_a').reply();
    expect(items.map(({ tool, payload }) => [tool, payload.gate_id])).toEqual([
      ['verify_gate', 'gate-deployment'],
      ['verify_gate', 'gate-activation'],
    ]);
    expect(waitsOf(passed)).toEqual([]);
    const run = (gate_id: string): Call => ['agent_a', 'verify_gate', { gate_id, run: RUN }];
    const half = inLight(passed, [run('gate-deployment')]);
    expect(light(half).when('authorize', { stage: 'release' }, 'owner').refusal()).toMatchObject({
      error: 'CERTIFICATION_INCOMPLETE',
      gates: [{ gate_id: 'gate-activation' }],
    });
    expect(stepOf(half)[1]?.[1]).toBe('Wait for the runs of the gates gate-activation (agent_a).');
    const whole = inLight(half, [run('gate-activation')]);
    expect(kindsOf(light(whole).when('authorize', { stage: 'release' }, 'owner').events())).toContain('session.ended');
  });

  test('does not exist in the profile full, which has its three decisions', () => {
    expect(given(releasable).when('authorize', { stage: 'release' }, 'owner').refusal()).toMatchObject({
      error: 'INVALID_TRANSITION',
      message: 'A session of the profile full is not released in one decision.',
    });
    expect(given(releasable).when('brief', { stage: 'release' }, 'owner').reply().missing).toEqual([
      'The profile full needs a deployment and an activation.',
    ]);
  });

  test('is refused by its name, as either of its steps is', () => {
    const refusal = { stage: 'release' as const, reason: 'It is slow.' };
    const input = { ...refusal, scenario_id: 'test-reserve' };
    const deployed = inLight(lightReleasable, [['owner', 'authorize', { stage: 'deployment' }]]);
    for (const past of [lightReleasable, deployed])
      expect(light(past).when('refuseStep', input, 'owner').events()[0]).toMatchObject({
        kind: 'defect.opened',
        data: { refusal },
      });
    expect(given(releasable).when('refuseStep', input, 'owner').refusal()).toMatchObject({
      error: 'INVALID_TRANSITION',
      message: 'A session of the profile full is not released in one decision.',
    });
  });

  test('rests on no preflight that never was', () => {
    const refusal = (past: readonly PastEvent[], call: string, input: object) =>
      light(past)
        .when(call as 'authorize', { ...input, seen: null } as never, 'owner')
        .refusal();
    for (const refused of [
      refusal(lightCertified, 'approveContract', lightApproval),
      refusal(lightReleasable, 'authorize', { stage: 'release' }),
    ]) {
      const records = (refused.grounds as { record: { type: string } }[]).map(({ record }) => record.type);
      expect(records).toContain(records.includes('revision') ? 'review' : 'scenario');
      expect(records).not.toContain('preflight');
    }
  });

  test('leaves the three single decisions as they are, without reports between them', () => {
    const deployed = inLight(lightReleasable, [['owner', 'authorize', { stage: 'deployment' }]]);
    expect(light(deployed).when('poll_actions', {}, 'agent_a').reply().actions).toEqual([]);
    const activated = inLight(deployed, [['owner', 'authorize', { stage: 'activation' }]]);
    expect(waitsOf(activated).map(({ kind }) => kind)).toEqual(['END']);
    const released = light(deployed).when('authorize', { stage: 'release' }, 'owner');
    expect(kindsOf(released.events())).toEqual(['activation.authorized', 'session.ended']);
  });
});
