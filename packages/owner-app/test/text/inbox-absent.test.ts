import { expect, test } from 'vitest';
import { countedWaits, foldedAbsences, inboxOf, isHeldUp, waitsToSettle, whoseMove } from '../../src/text/inbox.ts';

const wait = (kind: string, blocking: boolean, id: string, since = '2026-11-22T11:00:00Z') => ({
  kind,
  blocking,
  since,
  record: { id },
});

const session = (title: string, waits: readonly ReturnType<typeof wait>[]) => ({
  title,
  status: 'ACTIVE',
  updated_at: '2026-11-22T12:00:00Z',
  waits,
});

const A = wait('AGENT_ABSENT', true, 'agent_a', '2026-11-21T12:00:00Z');
const B = wait('AGENT_ABSENT', false, 'agent_b');
const Q = wait('QUESTION', true, 'q_1');

test('the inbox has what the owner settles first, and folds sessions in which agents are absent', () => {
  const { open, absent } = inboxOf([
    session('nobody joined', [B, A]),
    session('stopped by one', [A]),
    session('asks', [A, B, Q]),
  ]);
  expect(open.map(({ title }) => title)).toEqual(['asks']);
  expect(absent.map(({ title }) => title)).toEqual(['nobody joined', 'stopped by one']);
});

test('an absent agent is folded, and counts as nothing that the owner settles', () => {
  expect(waitsToSettle({ waits: [A, Q, B] })).toEqual([Q]);
  expect(foldedAbsences({ waits: [A, Q, B] })).toEqual([A, B]);
});

const ADVICE = wait('RECOMMENDATION', false, 'rec_1');

test.each([
  [
    'a task that does not block counts',
    { status: 'ACTIVE', waits: [A, ADVICE], movers: ['agent_b'] },
    ['owner', 'agent_b'],
  ],
  ['an absent agent does not count', { status: 'ACTIVE', waits: [A], movers: ['owner', 'agent_a'] }, ['agent_a']],
  ['a task in a draft does not count', { status: 'DRAFT', waits: [wait('START', true, 's')], movers: ['owner'] }, []],
  ['a task in a paused session does not count', { status: 'PAUSED', waits: [Q], movers: ['owner'] }, []],
  ['a broken log counts', { status: 'PAUSED', waits: [wait('LOG_BROKEN', true, 's')], movers: ['owner'] }, ['owner']],
] as const)('whose move it is: %s', (_what, { status, waits, movers }, expected) => {
  expect(whoseMove({ ...session('one', waits), status, movers })).toEqual(expected);
  expect(countedWaits({ status, waits }).length > 0).toBe(expected.some((role) => role === 'owner'));
});

const IDLE = {
  joined: true,
  last_call_at: '2026-11-22T11:59:56Z',
  wrote_at: '2026-11-22T05:00:00Z',
  due_since: '2026-11-22T04:00:00Z',
};
const ACTS = { ...IDLE, wrote_at: '2026-11-22T11:50:00Z' };
const ENDING = { ...ACTS, token_expires_at: '2026-11-22T12:20:00Z' };
const ASKED = { kind: 'QUESTION', blocking: true, record: { id: 'q_1' } };

test.each([
  ['one agent is idle', true, { movers: ['agent_a'], agents: [IDLE, ACTS], waits: [] }],
  ['both agents are idle', true, { movers: ['agent_a', 'agent_b'], agents: [IDLE, IDLE], waits: [] }],
  ['one agent is idle, the other acts', false, { movers: ['agent_a', 'agent_b'], agents: [IDLE, ACTS], waits: [] }],
  ['one agent is idle, the owner has a task', false, { movers: ['agent_a'], agents: [IDLE, ACTS], waits: [ASKED] }],
  ['the token of an agent that acts ends soon', false, { movers: ['agent_a'], agents: [ENDING, ACTS], waits: [] }],
])('whether a session is held up if %s: %s', (_case, expected, { movers, agents: [agentA, agentB], waits }) => {
  const agents = [
    { role: 'agent_a', ...agentA },
    { role: 'agent_b', ...agentB },
  ];
  expect(isHeldUp({ status: 'ACTIVE', movers, waits, agents }, Date.parse('2026-11-22T12:00:00Z'))).toBe(expected);
});
