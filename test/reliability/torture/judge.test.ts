import { expect, test } from 'vitest';
import { judge, type Reply } from './load/judge.ts';

const reply = (status: number, value: unknown, retryAfter?: string): Reply => ({
  ...{ status, retryAfter },
  text: typeof value === 'string' ? value : JSON.stringify(value),
});
const restart = { ok: false, error: 'SHUTTING_DOWN', message: 'Restarting.' };
const tool = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result });

test('takes an outage that says when to come again for one', () => {
  expect(judge(reply(503, restart, '2'), 'rest')).toEqual({ kind: 'away', why: 'SHUTTING_DOWN', retryAfter: 2 });
  const error = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Restarting.', data: restart } };
  expect(judge(reply(503, error, '2'), 'mcp')).toEqual({ kind: 'away', why: 'SHUTTING_DOWN', retryAfter: 2 });
  const failed = tool({ isError: true, content: [{ type: 'text', text: JSON.stringify(restart) }] });
  expect(judge(reply(200, failed), 'mcp')).toEqual({ kind: 'away', why: 'SHUTTING_DOWN' });
});

test('takes the 502 of a proxy for an outage, and no other page of it', () => {
  expect(judge(reply(502, '<h1>502 Bad Gateway</h1>'), 'rest')).toEqual({ kind: 'away', why: 'proxy 502' });
  expect(judge(reply(504, '<h1>504</h1>'), 'rest')).toEqual({ kind: 'wrong', text: '504 <h1>504</h1>' });
});

test('finds every other 5xx wrong, also one that does not say when to come again', () => {
  expect(judge(reply(503, restart), 'rest').kind).toBe('wrong');
  expect(judge(reply(500, { ok: false, error: 'INTERNAL' }), 'rest').kind).toBe('wrong');
  const internal = JSON.stringify({ ok: false, error: 'INTERNAL' });
  expect(judge(reply(200, tool({ isError: true, content: [{ text: internal }] })), 'mcp').kind).toBe('wrong');
  expect(judge(reply(200, '{"cut off'), 'rest').kind).toBe('wrong');
});

test('tells a refusal from an answer', () => {
  const refusal = { ok: false, error: 'NOT_YOUR_TURN' };
  expect(judge(reply(409, refusal), 'rest')).toEqual({ kind: 'refused', code: 'NOT_YOUR_TURN', body: refusal });
  expect(judge(reply(200, { cursor: 3 }), 'rest')).toEqual({ kind: 'answered', body: { cursor: 3 } });
  const answer = tool({ isError: false, content: [], structuredContent: { cursor: 3 } });
  expect(judge(reply(200, answer), 'mcp')).toEqual({ kind: 'answered', body: { cursor: 3 } });
});
