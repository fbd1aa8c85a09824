import { expect, test } from 'vitest';
import { at, type Heard } from '../../support/exchange.ts';
import { joinSession } from '../../support/join-session.ts';
import { callTool, restPath } from '../../support/requests.ts';
import { ask, post, startService } from '../../support/service.ts';

const MAX_BYTES = 1_000_000;

const STATEMENT = '🧭'.repeat(1_000);
const LONG_TURN = {
  summary: 'Long.',
  concerns: Array.from({ length: 49 }, () => STATEMENT),
  dependencies: Array.from({ length: 49 }, () => STATEMENT),
  safety_conditions: Array.from({ length: 49 }, () => STATEMENT),
  disagreements: Array.from({ length: 49 }, () => STATEMENT),
};

const bytesOf = ({ text }: Heard): number => Buffer.byteLength(text);
const resultOf = ({ json }: Heard): unknown => at(json, 'result', 'structuredContent');

async function sessionWithLongTurn() {
  const service = await startService();
  const joined = await joinSession(service);
  const { sessionId, tokens } = joined;
  const posted = await ask(service, restPath(sessionId, 'turns'), tokens.agent_a, LONG_TURN);
  expect(posted.status).toBe(200);
  const [id, before] = [Number(at(posted.json, 'message_id')), Number(at(posted.json, 'message_id')) - 1];
  await service.parley.agent(tokens.agent_b).call('submit_decision', { topic: 'Store', position: 'One.' });
  return { service, ...joined, id, before };
}

test('a turn of 784 kB is read whole over REST, and over MCP as far as it fits', async () => {
  const { service, sessionId, tokens, id, before } = await sessionWithLongTurn();
  const rest = await ask(service, restPath(sessionId, `messages?after=${before}`), tokens.agent_b);
  expect(bytesOf(rest)).toBeLessThan(MAX_BYTES);
  expect(at(rest.json, 'messages', 0, 'body', 'disagreements', 48)).toBe(STATEMENT);
  expect([at(rest.json, 'left_out'), at(rest.json, 'more')]).toEqual([undefined, true]);

  const mcp = await post(service, tokens.agent_b, callTool('read_messages', { after: before }));
  expect(bytesOf(mcp)).toBeLessThan(MAX_BYTES);
  expect(at(mcp.json, 'result', 'isError')).toBe(false);
  expect(JSON.parse(String(at(mcp.json, 'result', 'content', 0, 'text')))).toEqual(resultOf(mcp));
  expect(at(resultOf(mcp), 'messages', 0, 'body', 'summary')).toBe('Long.');
  expect(String(at(resultOf(mcp), 'messages', 0, 'body', 'concerns', 0))).toMatch(/^(?:🧭){500,900}…$/u);
  expect(at(resultOf(mcp), 'left_out')).toEqual({
    count: 196,
    how: 'The answer was too long: texts that end in "…" and some lists were cut. Over REST, GET messages can contain twice as much text.',
  });
  expect([at(resultOf(mcp), 'next_cursor'), at(resultOf(mcp), 'more')]).toEqual([id, true]);
});

test('a turn of 784 kB is read, and the cursor moves past it', async () => {
  const { service, tokens, id, before } = await sessionWithLongTurn();
  const events = await post(service, tokens.moderator, callTool('get_session_events', { after: before, limit: 100 }));
  expect(bytesOf(events)).toBeLessThan(MAX_BYTES);
  expect(at(resultOf(events), 'events', 0, 'id')).toBe(id);
  const cursor = Number(at(resultOf(events), 'next_cursor'));
  const next = await post(service, tokens.moderator, callTool('get_session_events', { after: cursor }));
  expect(at(resultOf(next), 'events', 0, 'kind')).toBe('decision.proposed');
  await service.parley.agent(tokens.moderator).call('ack_events', { cursor: before });
  const woken = await post(service, tokens.moderator, callTool('wait_for_activity', { wait_seconds: 0 }));
  expect(bytesOf(woken)).toBeLessThan(MAX_BYTES);
  expect(at(resultOf(woken), 'pending_actions')).toEqual([]);
});
