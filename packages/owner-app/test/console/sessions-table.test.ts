import { openSession } from '@parley/core/testing';
import { expect, test } from 'vitest';
import { countsFor, filterFrom, filterSessions, NO_FILTER, queryOf } from '../../console/src/pages/sessions-filter.ts';
import { longestWait, moverTimes } from '../../src/text/inbox.ts';

const NOW = Date.parse('2026-01-05T12:00:00.000Z');

async function sessions() {
  const { owner, agentA } = await openSession();
  await agentA.call('post_turn', {
    summary: 'A turn.',
    questions: [{ text: 'Which port?', to: 'owner', blocking: true }],
  });
  const [active] = (await owner.overview()).sessions;
  if (!active) throw new Error('The overview has no session.');
  const ended = { ...active, session_id: 'ended', status: 'ENDED', phase: 'VERIFY', open_defects: 1 } as const;
  const paused = { ...active, session_id: 'paused', status: 'PAUSED', phase: 'VERIFY' } as const;
  const defective = { ...active, session_id: 'defective', phase: 'VERIFY', open_defects: 2 } as const;
  return { active, all: [{ ...active, session_id: 'active' }, ended, paused, defective] };
}

const idsOf = (found: readonly { readonly session_id: string }[]) => found.map(({ session_id }) => session_id);

test('a session whose agents wrote nothing for an hour is active, unless another status is chosen', async () => {
  const { all } = await sessions();
  expect(idsOf(filterSessions(all, { ...NO_FILTER, idle: '60' }, NOW))).toEqual(['active', 'defective']);
  expect(idsOf(filterSessions(all, { ...NO_FILTER, idle: '60', status: 'PAUSED' }, NOW))).toEqual(['paused']);
});

test('an event of the owner does not end the idle time, and a session that only the owner can continue is not idle', async () => {
  const { active } = await sessions();
  const seen = { ...active, updated_at: '2026-01-05T11:59:00.000Z' };
  expect(filterSessions([seen], { ...NO_FILTER, idle: '60' }, NOW)).toHaveLength(1);
  const forOwner = { ...seen, movers: ['owner' as const] };
  expect(filterSessions([forOwner], { ...NO_FILTER, idle: '60' }, NOW)).toEqual([]);
});

test('an order by time lists active sessions first, then drafts and paused sessions, then ended sessions', async () => {
  const { active } = await sessions();
  const at = (session_id: string, hour: string, part = {}) => ({
    ...active,
    session_id,
    agents: active.agents.map((agent) => ({ ...agent, wrote_at: `2026-01-05T${hour}:00:00.000Z` })),
    since: `2026-01-05T${hour}:00:00.000Z`,
    ...part,
  });
  const all = [
    at('ended early', '07', { status: 'ENDED', movers: [], waits: [], since: null }),
    at('stuck', '08'),
    at('paused', '09', { status: 'PAUSED', movers: [], since: null }),
    at('busy', '10'),
    at('ended late', '11', { status: 'ENDED', movers: [], waits: [], since: null }),
  ];
  const order = (sort: 'activity' | 'since', direction: 'up' | 'down') =>
    idsOf(filterSessions(all, { ...NO_FILTER, sort, order: direction }, NOW));
  expect(order('activity', 'up')).toEqual(['stuck', 'busy', 'paused', 'ended early', 'ended late']);
  expect(order('activity', 'down')).toEqual(['busy', 'stuck', 'paused', 'ended late', 'ended early']);
  expect(order('since', 'up').slice(0, 3)).toEqual(['stuck', 'busy', 'paused']);
  expect(order('since', 'down').slice(0, 3)).toEqual(['busy', 'stuck', 'paused']);
});

test('open defects are a filter with an address, without ended sessions', async () => {
  const { all } = await sessions();
  const filter = filterFrom('?defects=open');
  expect(idsOf(filterSessions(all, filter, NOW))).toEqual(['defective']);
  expect(queryOf(filter)).toBe('?defects=open');
});

test('the counts by phase and status follow the rest of the filter', async () => {
  const { all } = await sessions();
  const { phase, status, defects } = countsFor(all, { ...NO_FILTER, phase: 'VERIFY' }, NOW);
  expect(phase.map(({ count }) => count)).toEqual([1, 0, 0, 3, 0]);
  expect(status).toEqual([
    { value: 'ACTIVE', count: 1 },
    { value: 'DRAFT', count: 0 },
    { value: 'PAUSED', count: 1 },
    { value: 'ENDED', count: 1 },
  ]);
  expect(defects).toEqual([{ value: 'open', count: 1 }]);
});

test('each role that must act has its own time', async () => {
  const { active } = await sessions();
  const session = {
    ...active,
    since: '2026-01-05T10:00:00.000Z',
    duties: [{ role: 'agent_b' as const, text: 'post its turn', since: '2026-01-05T08:00:00.000Z' }],
  };
  expect(moverTimes(session)).toEqual([
    { role: 'owner', since: '2026-01-05T10:00:00.000Z' },
    { role: 'agent_b', since: '2026-01-05T08:00:00.000Z' },
  ]);
  expect(longestWait(session)).toBe('2026-01-05T08:00:00.000Z');
  expect(longestWait({ ...session, movers: [], waits: [] })).toBeUndefined();
});
