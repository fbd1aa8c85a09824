import { expect, test } from 'vitest';
import { absenceMark, isAbsent, presenceText } from '../../src/text/agent.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const THERE = {
  role: 'agent_a',
  joined: true,
  revoked: false,
  token_expires_at: '2026-11-23T10:00:00Z',
  last_call_at: '2026-11-22T11:59:56Z',
  waiting: true,
};

test.each([
  ['waiting, 4 s ago', false, {}],
  ['active, 4 s ago', false, { waiting: false }],
  ['silent for 47 min', true, { waiting: false, last_call_at: '2026-11-22T11:12:30Z' }],
  ['waiting, 4 s ago, token ends in 20 min', true, { token_expires_at: '2026-11-22T12:20:10Z' }],
  ['token expired', true, { token_expires_at: '2026-11-22T10:00:00Z' }],
  ['never joined', true, { joined: false, token_expires_at: null, last_call_at: null, waiting: false }],
  [
    'never joined, invitation not redeemed yet, valid for 23 h 30 min',
    true,
    { joined: false, token_expires_at: null, code_expires_at: '2026-11-23T11:30:00Z' },
  ],
  ['never joined', true, { joined: false, token_expires_at: null, code_expires_at: '2026-11-22T11:30:00Z' }],
  [
    'access revoked, invitation not redeemed yet, valid for 23 h 30 min',
    true,
    { revoked: true, code_expires_at: '2026-11-23T11:30:00Z' },
  ],
  ['access revoked', true, { revoked: true }],
  [
    'calls (4 s ago), wrote nothing for 7 h',
    false,
    { waiting: false, wrote_at: '2026-11-22T05:00:00Z', due_since: '2026-11-22T04:00:00Z' },
  ],
  [
    'calls (4 s ago), wrote nothing for 7 h, token ends in 20 min',
    true,
    {
      wrote_at: '2026-11-22T05:00:00Z',
      due_since: '2026-11-22T10:59:00Z',
      token_expires_at: '2026-11-22T12:20:10Z',
    },
  ],
  ['calls (4 s ago), wrote nothing for 2 h', false, { due_since: '2026-11-22T10:00:00Z' }],
  ['waiting, 4 s ago', false, { wrote_at: '2026-11-22T05:00:00Z', due_since: '2026-11-22T11:01:00Z' }],
  ['waiting, 4 s ago', false, { wrote_at: '2026-11-22T11:01:00Z', due_since: '2026-11-22T04:00:00Z' }],
  ['waiting, 4 s ago', false, { wrote_at: '2026-11-22T05:00:00Z' }],
  [
    'silent for 47 min, wrote nothing for 7 h',
    true,
    {
      waiting: false,
      last_call_at: '2026-11-22T11:12:30Z',
      wrote_at: '2026-11-22T05:00:00Z',
      due_since: '2026-11-22T04:00:00Z',
    },
  ],
  [
    'silent for 2 h',
    true,
    {
      waiting: false,
      last_call_at: '2026-11-22T10:00:00Z',
      wrote_at: '2026-11-22T05:00:00Z',
      due_since: '2026-11-22T04:00:00Z',
    },
  ],
  ['joined, no call seen', false, { last_call_at: null, waiting: false }],
])('an agent is said to be: %s', (text, absent, part) => {
  expect([presenceText({ ...THERE, ...part }, NOW), isAbsent({ ...THERE, ...part }, NOW)]).toEqual([text, absent]);
});

const IDLE = { wrote_at: '2026-11-22T07:00:00Z', due_since: '2026-11-22T04:00:00Z' };

test.each([
  ['', {}],
  ['', { waiting: false, last_call_at: '2026-11-22T11:57:00Z' }],
  ['idle 5 h', IDLE],
  ['idle 5 h', { ...IDLE, waiting: false, last_call_at: '2026-11-22T11:57:00Z' }],
  ['silent 3 min', { ...IDLE, waiting: false, last_call_at: '2026-11-22T11:57:00Z' }, true],
  ['idle 5 h', IDLE, true],
  ['silent 40 min', { ...IDLE, waiting: false, last_call_at: '2026-11-22T11:20:00Z' }],
  ['never joined', { joined: false, token_expires_at: null, last_call_at: null, waiting: false }],
  ['token expired', { ...IDLE, token_expires_at: '2026-11-22T10:00:00Z' }],
  ['access revoked', { revoked: true, joined: false }],
])('beside a step an agent is marked by: %s', (mark, part, isReported = false) => {
  expect(absenceMark({ ...THERE, ...part }, NOW, isReported)).toBe(mark);
});
