import { expect, test } from 'vitest';
import { agentName, namedText, presenceText } from '../../src/text/agent.ts';
import { firstStepSince, inboxOf, inboxOutline } from '../../src/text/inbox.ts';
import { durationText } from '../../src/text/time.ts';

const session = (
  id: string,
  status: string,
  ...waits: readonly [blocking: boolean, since?: string, kind?: string][]
) => ({
  id,
  status,
  updated_at: '2026-01-01T12:00:00.000Z',
  waits: waits.map(([blocking, since, kind = 'QUESTION']) => ({ kind, blocking, since })),
});

test('the inbox begins with the oldest blocker, and parks drafts and paused sessions', () => {
  const { open, parked } = inboxOf([
    session('advice of yesterday', 'ACTIVE', [false, '2025-12-31T08:00:00.000Z']),
    session('nothing', 'ACTIVE'),
    session('draft', 'DRAFT', [true]),
    session('blocked at ten', 'ACTIVE', [true, '2026-01-01T10:00:00.000Z'], [false, '2025-01-01T00:00:00.000Z']),
    session('blocked at nine', 'ACTIVE', [true, '2026-01-01T11:00:00.000Z'], [true, '2026-01-01T09:00:00.000Z']),
    session('blocked since its last event', 'ACTIVE', [true]),
    session('paused', 'PAUSED', [true, '2025-01-01T00:00:00.000Z']),
    session('broken', 'PAUSED', [true, '2026-01-01T09:30:00.000Z', 'LOG_BROKEN']),
  ]);
  expect(open.map(({ id }) => id)).toEqual([
    'blocked at nine',
    'broken',
    'blocked at ten',
    'blocked since its last event',
    'advice of yesterday',
  ]);
  expect(parked.map(({ id }) => id)).toEqual(['draft', 'paused']);
});

test.each([
  [-5, '0 s'],
  [4_900, '4 s'],
  [60_000, '1 min'],
  [47 * 60_000, '47 min'],
  [119_000, '1 min'],
  [3 * 3_600_000, '3 h'],
  [3 * 3_600_000 + 40 * 60_000, '3 h 40 min'],
  [48 * 3_600_000, '2 d'],
  [49 * 3_600_000 + 60_000, '2 d 1 h'],
])('%i ms are %s', (ms, shown) => {
  expect(durationText(ms)).toBe(shown);
});

test.each([
  ['agent_a has not joined.', 'Shop (agent_a) has not joined.'],
  ['agent_a and agent_b still report.', 'Shop (agent_a) and agent_b still report.'],
  ['REVIEW_MISSING on r_1/agent_a: x', 'REVIEW_MISSING on r_1/agent_a: x'],
  ['Shop (agent_a) is silent.', 'Shop (agent_a) is silent.'],
  ['f_1 (agent_a or owner)', 'f_1 (Shop (agent_a) or owner)'],
  ['my-agent_a-test passed', 'my-agent_a-test passed'],
])('the sentence "%s" names agents', (text, named) => {
  expect(namedText(text, (role) => agentName(role, role === 'agent_a' ? 'Shop' : undefined))).toBe(named);
});

test('an agent has its display name with its role beside it', () => {
  expect(agentName('agent_a', 'Catalog agent')).toBe('Catalog agent (agent_a)');
  expect(agentName('agent_b', undefined)).toBe('agent_b');
  expect(agentName('moderator', 'Moderator')).toBe('moderator');
  expect(agentName('agent_a', 'x\u001b[2J')).toBe('x\\u{1b}[2J (agent_a)');
  expect(agentName('owner', undefined)).toBe('you');
});

test.each([
  [{ joined: false }, 'never joined'],
  [{ joined: true, revoked: true }, 'access revoked'],
  [{ joined: true, token_expires_at: '2026-01-01T11:00:00.000Z' }, 'token expired'],
  [{ joined: true, last_call_at: null }, 'joined, no call seen'],
  [{ joined: true, last_call_at: '2026-01-01T11:59:56.000Z', waiting: true }, 'waiting, 4 s ago'],
  [{ joined: true, last_call_at: '2026-01-01T11:59:40.000Z', waiting: false }, 'active, 20 s ago'],
  [{ joined: true, last_call_at: '2026-01-01T11:13:00.000Z', waiting: false }, 'silent for 47 min'],
])('%j is %s', (agent, shown) => {
  expect(presenceText({ role: 'agent_a', ...agent }, Date.parse('2026-01-01T12:00:00.000Z'))).toBe(shown);
});

test('the heading of the list of tasks says how many stop their session', () => {
  const waits = (blocking: number, others: number) => [
    ...Array.from({ length: blocking }, () => ({ blocking: true })),
    ...Array.from({ length: others }, () => ({ blocking: false })),
  ];
  expect(inboxOutline(waits(5, 7))).toBe('5 stop their session, 7 do not');
  expect(inboxOutline(waits(1, 1))).toBe('1 stops its session, 1 does not');
  expect(inboxOutline(waits(4, 0))).toBe('4 stop their session');
  expect(inboxOutline(waits(0, 4))).toBe('None of 4 stops its session');
});

test('the time of the first step is that of the task that the step names', () => {
  const session = {
    status: 'ACTIVE',
    movers: ['owner', 'agent_a'],
    since: '2026-01-01T00:00:00.000Z',
    waits: [
      { kind: 'AGENT_ABSENT', blocking: true, since: '2026-01-01T00:00:00.000Z', record: { id: 'agent_a' } },
      { kind: 'DEPLOYMENT', blocking: true, since: '2026-01-01T04:00:00.000Z' },
    ],
    duties: [{ role: 'agent_a', since: '2026-01-01T02:00:00.000Z' }],
  };
  expect(firstStepSince(session)).toBe('2026-01-01T04:00:00.000Z');
  expect(firstStepSince({ ...session, waits: session.waits.slice(0, 1) })).toBe('2026-01-01T02:00:00.000Z');
  expect(firstStepSince({ ...session, waits: [], movers: [] })).toBeUndefined();
});
