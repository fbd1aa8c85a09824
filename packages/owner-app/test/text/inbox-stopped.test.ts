import { expect, test } from 'vitest';
import { inboxLabel, inboxOf, partParked, stoppedText } from '../../src/text/inbox.ts';

const wait = (kind: string, blocking = true, since = '2026-11-22T11:00:00Z') => ({ kind, blocking, since });
const RESUME = wait('RESUME');

const session = (title: string, status: string, waits: readonly ReturnType<typeof wait>[], isStopped = false) => ({
  title,
  status,
  updated_at: '2026-11-22T12:00:00Z',
  waits,
  ...(isStopped && { stopped: { pause_id: 'p1' } }),
});

const SESSIONS = [
  session('stopped without a task', 'PAUSED', [RESUME], true),
  session('stopped with advice', 'PAUSED', [RESUME, wait('RECOMMENDATION', false)], true),
  session('stopped with a question', 'PAUSED', [RESUME, wait('QUESTION', true, '2026-11-22T11:30:00Z')], true),
  session('stopped, one absent', 'PAUSED', [RESUME, wait('AGENT_ABSENT')], true),
  session('paused before', 'PAUSED', [RESUME, wait('QUESTION')]),
  session('a draft', 'DRAFT', [wait('START')]),
];

test('sessions of a Stop all are apart from drafts and other paused sessions, those with tasks first', () => {
  const { stopped, parked } = partParked(inboxOf(SESSIONS).parked);
  expect(stopped.map(({ title }) => title)).toEqual([
    'stopped with a question',
    'stopped with advice',
    'stopped without a task',
    'stopped, one absent',
  ]);
  expect(parked.map(({ title }) => title)).toEqual(['paused before', 'a draft']);
});

test.each([
  [SESSIONS, 0, '2 tasks wait in 2 of 4 stopped sessions', '2 wait in stopped sessions'],
  [SESSIONS, 3, '2 tasks wait in 2 of 4 stopped sessions', '3 wait for you'],
  [SESSIONS.slice(2, 3), 0, '1 task waits in 1 stopped session', '1 waits in stopped sessions'],
  [SESSIONS.slice(0, 1), 0, '1 session is stopped', 'Nothing waits for you'],
  [
    [{ ...session('long', 'PAUSED', [RESUME], true), left_out: { count: 7 } }],
    0,
    '7 tasks wait in 1 stopped session',
    '7 wait in stopped sessions',
  ],
])('the inbox counts the tasks in stopped sessions', (sessions, count, text, label) => {
  const { absent, parked } = inboxOf(sessions);
  const { stopped } = partParked(parked);
  expect(stoppedText(stopped)).toBe(text);
  expect(inboxLabel(count, { absent, stopped })).toBe(label);
});

test('without tasks, the label says whether agents are absent', () => {
  const { absent } = inboxOf([session('nobody joined', 'ACTIVE', [wait('AGENT_ABSENT')])]);
  expect(inboxLabel(0, { absent, stopped: [] })).toBe('Agents are absent');
});
