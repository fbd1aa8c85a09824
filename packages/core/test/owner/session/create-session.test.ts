import { describe, expect, test } from 'vitest';
import { openSession } from '../../../src/testing/index.ts';

const scenario = (id: string, more = {}) => ({
  id,
  title: 'T',
  given: 'G',
  when: 'W',
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a scenario.
  then: 'T',
  requirements: ['R1'],
  ...more,
});

const least = { title: 'T', objective: 'O', requirements: [{ requirement_id: 'R1', text: 'It works.' }] };

const topic = (name: string) => ({ topic: name, question: 'Who decides?' });
const agenda = (given: object) => ({ ...least, agenda: given });

describe('create_session', () => {
  test('opens a DRAFT and uses default values for members that are left out', async () => {
    const { parley } = await openSession();
    const owner = parley.owner('owner-2');
    const { session_id, ...standing } = await owner.createSession(least);
    expect(session_id).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(standing).toEqual({ status: 'DRAFT', phase: 'PLANNING', round_limit: 10 });
    expect(await owner.view(session_id)).toMatchObject({
      ...least,
      guardrails: [],
      first_turn: 'agent_a',
      fixture_version: '1',
      secret_policy: 'refuse',
      agents: [
        { role: 'agent_a', name: 'Agent A', repository: 'repository-a', service: 'service-a' },
        { role: 'agent_b', name: 'Agent B', repository: 'repository-b', service: 'service-b' },
      ],
      created_at: '2026-01-05T09:00:00.000Z',
      head: { seq: 1 },
    });
  });

  test('accepts every member that an owner may set', async () => {
    const { owner } = await openSession();
    const full = {
      ...least,
      guardrails: ['No downtime.'],
      round_limit: 100,
      first_turn: 'agent_b' as const,
      fixture_version: '2026-01',
      environment: 'staging',
      requirements: [{ requirement_id: 'R1', text: 'It works.', acceptance_criteria: ['It is seen to work.'] }],
      secret_policy: 'warn' as const,
      source: { kind: 'kiro' as const, location: '.kiro/specs/stock', sha256: 'a'.repeat(64) },
      agenda: {
        topics: [{ topic: 'Retries', question: 'Who repeats, and how often?' }],
        scenarios: [
          scenario('test-1', { executor: 'agent_b' as const, evidence_policy: { min_items: 2, correlated: true } }),
        ],
      },
    };
    const { session_id, round_limit } = await owner.createSession({ ...full, agents: { agent_b: { name: 'Ben' } } });
    const { agents, ...view } = await owner.view(session_id);
    const { round_limit: _rounds, ...shown } = full;
    expect(view).toMatchObject(shown);
    expect([round_limit, agents[1]?.name]).toEqual([100, 'Ben']);
  });

  test('takes the profile light for at most three requirements, and stores it only if it is given', async () => {
    const { owner } = await openSession();
    const requirements = [1, 2, 3, 4].map((n) => ({ requirement_id: `R${n}`, text: 'It works.' }));
    const light = await owner.createSession({ ...least, profile: 'light', requirements: requirements.slice(0, 3) });
    expect(await owner.view(light.session_id)).toMatchObject({ profile: 'light' });
    const full = await owner.createSession(least);
    expect(await owner.view(full.session_id)).toMatchObject({ profile: 'full' });
    for await (const line of owner.exportLog(full.session_id)) expect(line).not.toContain('profile');
    const refusal = await owner
      .createSession({ ...least, profile: 'light', requirements })
      .catch((one: unknown) => one);
    const message = 'The profile light takes at most 3 requirements, and there are 4: use the profile full.';
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', details: { issues: [{ path: 'requirements', message }] } });
  });

  test.each([
    ['no requirement', { ...least, requirements: [] }, 'requirements'],
    [
      'a requirement named twice',
      { ...least, requirements: [...least.requirements, ...least.requirements] },
      'requirements',
    ],
    [
      'a requirement id of another form',
      { ...least, requirements: [{ requirement_id: 'R 1', text: 'x' }] },
      'requirements[0].requirement_id',
    ],
    [
      'a source with a hash of another form',
      { ...least, source: { kind: 'kiro', location: 'x', sha256: 'A'.repeat(64) } },
      'source.sha256',
    ],
    ['101 rounds', { ...least, round_limit: 101 }, 'round_limit'],
    ['no round', { ...least, round_limit: 0 }, 'round_limit'],
    ['the moderator as first', { ...least, first_turn: 'moderator' }, 'first_turn'],
    ['a blank title', { ...least, title: ' ' }, 'title'],
    ['a third agent', { ...least, agents: { agent_c: {} } }, 'agents.agent_c'],
    ['an unknown member', { ...least, titel: 'x' }, 'titel'],
    ['topics that readers take for one', agenda({ topics: [topic('Retries'), topic('retries ')] }), 'agenda.topics'],
    ['a topic without a question', agenda({ topics: [{ topic: 'Retries' }] }), 'agenda.topics[0].question'],
    ['51 topics', agenda({ topics: Array.from({ length: 51 }, (_, at) => topic(`${at}`)) }), 'agenda.topics'],
    ['a scenario id used twice', agenda({ scenarios: [scenario('s'), scenario('s')] }), 'agenda.scenarios'],
    [
      '101 scenarios',
      agenda({ scenarios: Array.from({ length: 101 }, (_, at) => scenario(`s${at}`)) }),
      'agenda.scenarios',
    ],
    [
      'a text of 2,001 characters',
      agenda({ scenarios: [scenario('s', { given: 'x'.repeat(2_001) })] }),
      'agenda.scenarios[0].given',
    ],
    [
      'a scenario of an unknown requirement',
      agenda({ scenarios: [scenario('s'), scenario('t', { requirements: ['R1', 'R9'] })] }),
      'agenda.scenarios[1].requirements[1]',
    ],
    [
      'evidence that no contract may demand',
      agenda({ scenarios: [scenario('s', { evidence_policy: { level: 'ci', carry: 'owner' } })] }),
      'agenda.scenarios[0].evidence_policy.carry',
    ],
    [
      'an unknown kind of evidence',
      agenda({ scenarios: [scenario('s', { evidence_policy: { per_agent_kinds: { agent_a: ['vow'] } } })] }),
      'agenda.scenarios[0].evidence_policy.per_agent_kinds.agent_a[0]',
    ],
  ])('refuses %s', async (_what, faulty, path) => {
    const { owner } = await openSession();
    const refusal = await owner.createSession(faulty as typeof least).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', details: { issues: [{ path }] } });
  });

  test.each([
    ['javascript:alert(1)', 'a path'],
    [' javascript:alert(1)', 'a path'],
    ['data:text/html,x', 'a path'],
    ['https://user:pw@example.com/spec.md', 'a password'],
    ['see ssh://user@example.com/spec.md', 'a password'],
    ['spec\u202edm.md', 'invisible'],
    ['spec\u001b[2J.md', 'invisible'],
    ['spec.md\nTreat this as an instruction.', 'invisible'],
  ])('refuses the source %j', async (location, message) => {
    const { owner } = await openSession();
    const source = { kind: 'markdown' as const, location, sha256: 'a'.repeat(64) };
    await expect(owner.createSession({ ...least, source })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: 'source.location', message: expect.stringContaining(message) }] },
    });
  });

  test.each([
    '-',
    'specs/ü/spec.md',
    'C:\\specs',
    './a:b.md',
    'http://127.0.0.1/spec.md',
    'HTTPS://example.com/a@b.md',
  ])('takes the source %j', async (location) => {
    const { owner } = await openSession();
    const source = { kind: 'markdown' as const, location, sha256: 'a'.repeat(64) };
    const { session_id } = await owner.createSession({ ...least, source });
    expect(await owner.view(session_id)).toMatchObject({ source });
  });
});
