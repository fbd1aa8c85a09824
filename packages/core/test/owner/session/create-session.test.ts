import { describe, expect, test } from 'vitest';
import { openSession } from '../../../src/testing/index.ts';

const least = { title: 'T', objective: 'O', requirements: [{ requirement_id: 'R1', text: 'It works.' }] };

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
    };
    const { session_id, round_limit } = await owner.createSession({ ...full, agents: { agent_b: { name: 'Ben' } } });
    const { agents, ...view } = await owner.view(session_id);
    const { round_limit: _rounds, ...shown } = full;
    expect(view).toMatchObject(shown);
    expect([round_limit, agents[1]?.name]).toEqual([100, 'Ben']);
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
    ['101 rounds', { ...least, round_limit: 101 }, 'round_limit'],
    ['no round', { ...least, round_limit: 0 }, 'round_limit'],
    ['the moderator as first', { ...least, first_turn: 'moderator' }, 'first_turn'],
    ['a blank title', { ...least, title: ' ' }, 'title'],
    ['a third agent', { ...least, agents: { agent_c: {} } }, 'agents.agent_c'],
    ['an unknown member', { ...least, titel: 'x' }, 'titel'],
  ])('refuses %s', async (_what, faulty, path) => {
    const { owner } = await openSession();
    const refusal = await owner.createSession(faulty as typeof least).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', details: { issues: [{ path }] } });
  });
});
