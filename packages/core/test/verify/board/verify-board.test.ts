import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { approved, attempt, COMMITS, declared, deployed, evidence, failed, handshake, play } from '../../story.ts';
import { board, declaredOf, NEW_COMMIT, runOf, testsWith } from '../builds.ts';

type Asked = { scenario_id: string; attempt?: number; after?: number };

/** The evidence of the requested attempt, which is the only evidence on the board. */
const evidenceOf = (past: readonly PastEvent[], asked: Asked) => {
  const { scenarios } = given(past).when('verify_board', asked, 'agent_b').reply();
  expect(scenarios.map(({ scenario_id }) => scenario_id)).toEqual([asked.scenario_id]);
  return scenarios.flatMap(({ attempts }) => attempts.flatMap(({ evidence }) => evidence));
};

describe('verify_board', () => {
  test('is empty before there is a manifest', () => {
    expect(given().when('verify_board', {}, 'moderator').reply()).toMatchObject({
      phase: 'PLANNING',
      manifest_id: null,
      revision_id: null,
      fixture_version: null,
      handshakes: { agent_a: null, agent_b: null },
      scenarios: [],
      defects: [],
      next_actions: [],
      certification: { certified: false, level: null },
      authorizations: { build_authorized: false, deployment_authorized: false, activation_authorized: false },
      markdown: null,
    });
  });

  test('shows the scenarios of the approved contract from the approval on', () => {
    const { scenarios, manifest_id, revision_id, fixture_version } = board(approved);
    expect([manifest_id, revision_id, fixture_version]).toEqual(['m_1', 'r_1', '1']);
    expect(scenarios).toEqual([
      {
        scenario_id: 'test-reserve',
        title: 'An order reserves stock',
        status: 'READY',
        reason: null,
        executor: 'agent_a',
        responsible: 'agent_b',
        requirements: ['R1'],
        interfaces: ['reservations'],
        depends_on: [],
        attempts: [],
        level: null,
      },
      {
        scenario_id: 'test-expiry',
        title: 'A reservation ends',
        status: 'WAITING',
        reason: 'Waits for test-reserve.',
        executor: 'agent_b',
        responsible: 'agent_b',
        requirements: ['R2'],
        interfaces: ['reservations'],
        depends_on: ['test-reserve'],
        attempts: [],
        level: null,
      },
    ]);
  });

  test('shows an attempt with the evidence of both', () => {
    const past = play(declared, [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 1, { kind: 'http_exchange' }),
      evidence('agent_b', 'test-reserve'),
    ]);
    const listed = [
      { message_id: 59, by: 'agent_a', kind: 'http_exchange', request_id: 'req-1', failed: false, level: 'claimed' },
      { message_id: 60, by: 'agent_b', kind: 'log', request_id: 'req-1', failed: false, level: 'claimed' },
    ];
    expect(board(past).scenarios[0]?.attempts).toEqual([
      {
        attempt: 1,
        status: 'OPEN',
        started_by: 'agent_a',
        started_at: '2026-01-05T09:00:00.000Z',
        commits: COMMITS,
        evidence_count: 2,
        evidence: listed,
        evaluation: { met: true, request_id: 'req-1', missing: [], failing: [] },
        level: 'claimed',
        verdict: null,
        reason: null,
      },
    ]);
    const said = { claim: 'It holds.', summary: 'Two units were reserved.', assertions: [] };
    const at = { submitted_at: '2026-01-05T09:00:00.000Z' };
    expect(evidenceOf(past, { scenario_id: 'test-reserve' })).toEqual([
      { ...listed[0], ...said, commit: COMMITS.agent_a, ...at },
      { ...listed[1], ...said, commit: COMMITS.agent_b, ...at },
    ]);
  });

  test('keeps earlier attempts, counted, without their evidence', () => {
    const past = play(failed, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }],
      attempt('agent_a', 'test-reserve'),
    ]);
    expect(board(past).scenarios[0]?.attempts).toMatchObject([
      { attempt: 1, status: 'FAILED', evidence_count: 2, evidence: [], verdict: { by: 'agent_b', verdict: 'FAIL' } },
      { attempt: 2, status: 'OPEN', evidence_count: 0, evidence: [], verdict: null },
    ]);
    expect(evidenceOf(past, { scenario_id: 'test-reserve' })).toEqual([]);
    expect(evidenceOf(past, { scenario_id: 'test-reserve', attempt: 1 })).toMatchObject([
      { message_id: 59, summary: 'Two units were reserved.' },
      { message_id: 60, summary: 'Two units were reserved.' },
    ]);
    expect(evidenceOf(past, { scenario_id: 'test-reserve', attempt: 1, after: 59 })).toMatchObject([
      { message_id: 60 },
    ]);
  });

  test('gives one scenario and its defects alone', () => {
    const one = given(failed).when('verify_board', { scenario_id: 'test-reserve' }, 'agent_b').reply();
    expect(Object.keys(one)).toEqual(['phase', 'scenarios', 'defects']);
    expect(one.defects.map(({ defect_id }) => defect_id)).toEqual(['def_1']);
    const other = given(failed).when('verify_board', { scenario_id: 'test-expiry' }, 'moderator').reply();
    expect(other).toMatchObject({ phase: 'VERIFY', scenarios: [{ scenario_id: 'test-expiry' }], defects: [] });
  });

  test('has the checks, the handshakes and the next actions beside the Markdown of one scenario', () => {
    const input = { scenario_id: 'test-reserve', format: 'both' as const };
    const { markdown, next_actions } = given(failed).when('verify_board', input, 'agent_b').reply();
    expect(markdown).toContain('test-reserve');
    expect(next_actions?.map(({ tool }) => tool)).toEqual(['verify_handshake']);
  });

  test('refuses a scenario and an attempt that do not exist', () => {
    given(failed)
      .when('verify_board', { scenario_id: 'test-other' }, 'agent_a')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'scenario', id: 'test-other' } });
    given(failed)
      .when('verify_board', { scenario_id: 'test-reserve', attempt: 2 }, 'agent_a')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'attempt', id: 'test-reserve/2' } });
  });

  test('gives each builder its own next actions, and the moderator none', () => {
    const seen = (role: 'agent_a' | 'agent_b' | 'moderator') =>
      given(failed)
        .when('verify_board', {}, role)
        .reply()
        .next_actions?.map(({ tool }) => tool);
    expect([seen('agent_a'), seen('agent_b'), seen('moderator')]).toEqual([[], ['verify_handshake'], []]);
  });

  test('is the same for everybody but for the next actions', () => {
    const [a, b, moderator] = (['agent_a', 'agent_b', 'moderator'] as const).map((role) => {
      const { next_actions: _own, ...rest } = given(failed).when('verify_board', {}, role).reply();
      return rest;
    });
    expect(a).toEqual(b);
    expect(a).toEqual(moderator);
  });

  test('is certified when every check holds', () => {
    const { certification, phase, authorizations, markdown } = board(deployed);
    expect(markdown).toBeNull();
    expect(certification).toMatchObject({ certified: true, level: 'claimed' });
    expect(certification.checks.map(({ check, ok, detail }) => [check, ok, detail])).toEqual([
      ['SCENARIOS_PASSED', true, 'All 2 scenarios have passed.'],
      ['NO_OPEN_DEFECT', true, 'No defect is open.'],
      ['HANDSHAKES_CURRENT', true, 'Both handshakes are current, ready and healthy.'],
      ['REQUIREMENTS_PROVEN', true, 'All tests mapped to requirements have passed.'],
      ['EVIDENCE_FROM_BOTH', true, 'Both agents gave evidence for each pass.'],
      ['NO_ACTIVE_HOLD', true, 'No hold is active.'],
      ['NO_BLOCKING_FINDING', true, 'No blocking finding is open.'],
    ]);
    expect([phase, authorizations.deployment_authorized]).toEqual(['RELEASE', true]);
  });

  test('shows of a passed scenario the attempt and the number of its items; by id everything', () => {
    expect(board(deployed).scenarios).toEqual([
      {
        scenario_id: 'test-reserve',
        status: 'PASSED',
        attempts: [],
        level: 'claimed',
        passed: { attempt: 1, evidence_count: 2 },
      },
      {
        scenario_id: 'test-expiry',
        status: 'PASSED',
        attempts: [],
        level: 'claimed',
        passed: { attempt: 1, evidence_count: 2 },
      },
    ]);
    expect(evidenceOf(deployed, { scenario_id: 'test-reserve' })).toHaveLength(2);
  });

  test('shows all members of passed scenarios beside the Markdown', () => {
    const { scenarios } = given(deployed).when('verify_board', { format: 'both' }, 'agent_a').reply();
    expect(scenarios[0]).toMatchObject({ title: 'An order reserves stock', attempts: [{ attempt: 1 }] });
    expect(scenarios[0]).not.toHaveProperty('passed');
  });

  test('has less than 4,200 bytes with 20 passed scenarios', () => {
    const tests = testsWith({}, { depends_on: [] }).flatMap((test) =>
      Array.from({ length: 10 }, (_, index) => ({
        ...test,
        id: index === 0 ? test.id : `${test.id}-in-case-${index + 1}`,
        title: `${test.title}, case ${index + 1} of those that the owner named`,
      })),
    );
    const passed = play(
      declaredOf({ tests }),
      tests.flatMap(({ id, executor }) => runOf(id, executor)),
    );
    const shown = board(passed);
    expect(shown.certification.checks[0]).toEqual({
      check: 'SCENARIOS_PASSED',
      ok: true,
      detail: 'All 20 scenarios have passed.',
    });
    expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(4_200);
  });
});
