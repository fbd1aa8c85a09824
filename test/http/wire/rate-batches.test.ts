import { expect, test } from 'vitest';
import { at, type Sent } from '../../support/exchange.ts';
import { joinSession } from '../../support/join-session.ts';
import { bearer, callTool, MCP, restPath, rpc } from '../../support/requests.ts';
import { post, type Service, startService } from '../../support/service.ts';
import { expectRefusal, tally } from './support/rates.ts';
import { MINUTE_MS } from './support/specification.ts';
import { verdictOf } from './support/targets.ts';

const pings = (count: number): string => `[${Array.from({ length: count }, (_, id) => rpc('ping', {}, id))}]`;
const batch = (token: string, count: number): Sent => ({
  method: 'POST',
  path: MCP,
  headers: bearer(token),
  body: pings(count),
});

async function start() {
  const service = await startService();
  const { sessionId, tokens } = await joinSession(service);
  return { service, sessionId, token: tokens.agent_a };
}

const single = (token: string) => (): Sent => batch(token, 1);
const headOf = async ({ storage }: Service, sessionId: string) => (await storage.fetch(sessionId, 100))?.head;

test('a batch counts by element: twelve of 50 fill the 600 of a token', async () => {
  const { service, sessionId, token } = await start();
  expect(await tally(service, 12, () => batch(token, 50))).toEqual({ 200: 12 });
  expectRefusal(await service.send(batch(token, 1)), 60, null);
  expectRefusal(await service.send({ method: 'POST', path: MCP, headers: bearer(token), body: rpc('ping') }), 60, 1);
  expectRefusal(await service.send({ method: 'GET', path: restPath(sessionId, 'state'), headers: bearer(token) }), 60);
  service.clock.advance(MINUTE_MS);
  expect(await tally(service, 12, () => batch(token, 50))).toEqual({ 200: 12 });
});

test.each([
  ['notifications', '{"jsonrpc":"2.0","method":"x"}', 202],
  ['malformed elements', '5', 200],
  ['calls that fail', callTool('post_turn', {}), 200],
  ['unknown methods', rpc('x'), 200],
])('a batch of 50 counts 50 when it holds %s', async (_what, element, status) => {
  const { service, token } = await start();
  expect(await tally(service, 11, () => batch(token, 50))).toEqual({ 200: 11 });
  const body = `[${Array(50).fill(element)}]`;
  expect((await post(service, token, body)).status).toBe(status);
  expectRefusal(await service.send(batch(token, 1)), 60, null);
});

test('a batch that does not fit is refused whole, and nothing of it runs', async () => {
  const { service, sessionId, token } = await start();
  expect(await tally(service, 11, () => batch(token, 50))).toEqual({ 200: 11 });
  expect(await tally(service, 10, single(token))).toEqual({ 200: 10 });
  const head = await headOf(service, sessionId);
  const turns = Array.from({ length: 41 }, () => callTool('post_turn', { summary: 'Mine.' }));
  const heard = await post(service, token, `[${turns}]`);
  expectRefusal(heard, 60, null);
  expect(Array.isArray(heard.json)).toBe(false);
  expect(await headOf(service, sessionId)).toEqual(head);
  expect((await service.send(batch(token, 39))).status).toBe(200);
});

test('a batch of none and one of 51 are refused, and count as the one request they are', async () => {
  const { service, token } = await start();
  expect(await tally(service, 11, () => batch(token, 50))).toEqual({ 200: 11 });
  expect(await tally(service, 48, single(token))).toEqual({ 200: 48 });
  for (const count of [0, 51]) expect(verdictOf(await service.send(batch(token, count)))).toBe('400 -32600');
  expectRefusal(await service.send(batch(token, 1)), 60, null);
});

test('requests at the same moment are admitted exactly 600 times', async () => {
  const { service, token } = await start();
  const all = await Promise.all(Array.from({ length: 70 }, (_, n) => service.send(batch(token, n % 2 ? 20 : 1))));
  const admitted = all.map(({ status, json }) => (status === 200 ? Number(at(json, 'length')) : 0));
  const refused = all.filter(({ status }) => status === 429).length;
  const counted = admitted.reduce((sum, count) => sum + count, 0);
  expect(counted).toBeLessThanOrEqual(600);
  expect(counted).toBeGreaterThanOrEqual(600 - 19 - refused);
  expect(all.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
});
