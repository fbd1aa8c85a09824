import { expect, test } from 'vitest';
import { canCall, hindranceOf, presenceText } from '../../src/text/agent.ts';

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
  ['waiting, 4 s ago', undefined, {}],
  ['active, 4 s ago', undefined, { waiting: false }],
  ['silent for 47 min', 'silent', { waiting: false, last_call_at: '2026-11-22T11:12:30Z' }],
  ['waiting, 4 s ago, token ends in 20 min', 'token ends', { token_expires_at: '2026-11-22T12:20:10Z' }],
  ['token expired', 'token expired', { token_expires_at: '2026-11-22T10:00:00Z' }],
  ['never joined', 'never joined', { joined: false, token_expires_at: null, last_call_at: null, waiting: false }],
  [
    'never joined, invited: hand over the code (valid for 23 h 30 min)',
    'never joined',
    { joined: false, token_expires_at: null, code_expires_at: '2026-11-23T11:30:00Z' },
  ],
  ['never joined', 'never joined', { joined: false, token_expires_at: null, code_expires_at: '2026-11-22T11:30:00Z' }],
  [
    'access revoked, invited: hand over the code (valid for 23 h 30 min)',
    'access revoked',
    { revoked: true, code_expires_at: '2026-11-23T11:30:00Z' },
  ],
  ['access revoked', 'access revoked', { revoked: true }],
  [
    'idle (last call 4 s ago), wrote nothing for 7 h',
    'idle',
    { waiting: false, wrote_at: '2026-11-22T05:00:00Z', due_since: '2026-11-22T04:00:00Z' },
  ],
  [
    'idle (last call 4 s ago), wrote nothing for 7 h, token ends in 20 min',
    'token ends',
    {
      wrote_at: '2026-11-22T05:00:00Z',
      due_since: '2026-11-22T10:59:00Z',
      token_expires_at: '2026-11-22T12:20:10Z',
    },
  ],
  ['idle (last call 4 s ago), wrote nothing for 2 h', 'idle', { due_since: '2026-11-22T10:00:00Z' }],
  ['waiting, 4 s ago', undefined, { wrote_at: '2026-11-22T05:00:00Z', due_since: '2026-11-22T11:01:00Z' }],
  ['waiting, 4 s ago', undefined, { wrote_at: '2026-11-22T11:01:00Z', due_since: '2026-11-22T04:00:00Z' }],
  ['waiting, 4 s ago', undefined, { wrote_at: '2026-11-22T05:00:00Z' }],
  [
    'silent for 47 min, wrote nothing for 7 h',
    'silent',
    {
      waiting: false,
      last_call_at: '2026-11-22T11:12:30Z',
      wrote_at: '2026-11-22T05:00:00Z',
      due_since: '2026-11-22T04:00:00Z',
    },
  ],
  [
    'silent for 2 h',
    'silent',
    {
      waiting: false,
      last_call_at: '2026-11-22T10:00:00Z',
      wrote_at: '2026-11-22T05:00:00Z',
      due_since: '2026-11-22T04:00:00Z',
    },
  ],
  ['joined, no call seen', undefined, { last_call_at: null, waiting: false }],
  [
    'idle (no call seen), wrote nothing for 7 h',
    'idle',
    { last_call_at: null, waiting: false, wrote_at: '2026-11-22T05:00:00Z', due_since: '2026-11-22T04:00:00Z' },
  ],
])('the presence of an agent is shown as: %s', (text, hindrance, part) => {
  expect([presenceText({ ...THERE, ...part }, NOW), hindranceOf({ ...THERE, ...part }, NOW)]).toEqual([
    text,
    hindrance,
  ]);
});

const IDLE = { wrote_at: '2026-11-22T07:00:00Z', due_since: '2026-11-22T04:00:00Z' };

test.each([
  [undefined, {}],
  [undefined, { waiting: false, last_call_at: '2026-11-22T11:57:00Z' }],
  ['idle', IDLE],
  ['idle', { ...IDLE, waiting: false, last_call_at: '2026-11-22T11:57:00Z' }],
  ['silent', { ...IDLE, waiting: false, last_call_at: '2026-11-22T11:57:00Z' }, true],
  ['idle', IDLE, true],
  ['silent', { ...IDLE, waiting: false, last_call_at: '2026-11-22T11:20:00Z' }],
  ['silent', { waiting: false, last_call_at: '2026-11-22T11:20:00Z', token_expires_at: '2026-11-22T12:20:10Z' }],
])('an agent that does not take its step is marked with: %s', (hindrance, part, isReported = false) => {
  expect(hindranceOf({ ...THERE, ...part }, NOW, isReported)).toBe(hindrance);
});

test.each([
  [true, {}],
  [true, { waiting: false, last_call_at: '2026-11-22T02:00:00Z' }],
  [false, { joined: false }],
  [false, { revoked: true }],
  [false, { token_expires_at: '2026-11-22T11:00:00Z' }],
])('an agent can call: %s', (can, part) => {
  expect(canCall({ ...THERE, ...part }, NOW)).toBe(can);
});
