import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

test('a successful write on a warm state is one append', async () => {
  const { here, tokenA, turn } = await openWorld();
  expect(await here.send('POST turns', { token: tokenA, body: turn() })).toMatchObject({ status: 200 });
  expect(here.tape.taken()).toEqual(['append 7']);
});

test('a successful write on a cold state is one fetch and one append', async () => {
  const { openHost, tokenA, turn } = await openWorld();
  const cold = await openHost();
  expect(await cold.send('POST turns', { token: tokenA, body: turn() })).toMatchObject({ status: 200 });
  expect(cold.tape.taken()).toEqual(['fetch 0', 'append 7']);
});

test('a read is one fetch, warm or cold', async () => {
  const { here, openHost, tokenA } = await openWorld();
  expect(await here.send('GET state', { token: tokenA })).toMatchObject({ status: 200 });
  expect(here.tape.taken()).toEqual(['fetch 6']);
  const cold = await openHost();
  expect(await cold.send('GET state', { token: tokenA })).toMatchObject({ status: 200 });
  expect(cold.tape.taken()).toEqual(['fetch 0']);
});

test.each([
  ['by the rules', 'POST turns', { summary: 's' }, 'NOT_YOUR_TURN'],
  ['of the body', 'POST turns', '{', 'INVALID_JSON'],
  ['of the input', 'POST turns', {}, 'INVALID_INPUT'],
  ['of the route', 'GET nowhere', {}, 'NOT_FOUND'],
  ['of the method', 'GET turns', {}, 'METHOD_NOT_ALLOWED'],
])('a refusal %s is one fetch', async (_what, route, body, code) => {
  const { here, tokenB } = await openWorld();
  expect(await here.send(route, { token: tokenB, body })).toMatchObject({ code });
  expect(here.tape.taken()).toEqual(['fetch 6']);
});

test('a refusal, or a repeated key, on a cold state is the fetch that found the token', async () => {
  const { here, openHost, tokenA, tokenB, turn } = await openWorld();
  const first = await here.send('POST turns', { token: tokenA, body: turn(), keys: ['k'] });
  const cold = await openHost();
  expect(await cold.send('POST turns', { token: tokenA, body: turn() })).toMatchObject({ code: 'NOT_YOUR_TURN' });
  expect(cold.tape.taken()).toEqual(['fetch 0']);
  const colder = await openHost();
  expect(await colder.send('POST turns', { token: tokenA, body: turn(), keys: ['k'] })).toEqual(first);
  expect(colder.tape.taken()).toEqual(['fetch 0', 'events 7-7']);
  expect(await cold.send('POST turns', { token: tokenB, body: turn() })).toMatchObject({ status: 200 });
});

test('a refusal after another write came in between is not taken from the fetch that found the token', async () => {
  const { here, openHost, tokenA, tokenB, turn } = await openWorld();
  const cold = await openHost();
  const refused = await cold.send('POST turns', {
    token: tokenB,
    readBody: async () => {
      await here.send('POST turns', { token: tokenA, body: turn() });
      await cold.send('GET state', { token: tokenA });
      return JSON.stringify(turn());
    },
  });
  expect(refused).toMatchObject({ status: 200, body: { turn_index: 1 } });
});

test('a write that adds nothing is one fetch', async () => {
  const { here, owner, sessionId } = await openWorld();
  await owner.revoke(sessionId, { role: 'moderator' });
  expect(here.tape.taken()).toEqual(['fetch 6']);
});

test('a repeated key is one fetch and its event, from memory where it is known', async () => {
  const { here, openHost, tokenA, turn } = await openWorld();
  const send = { token: tokenA, body: { ...turn(), request_id: 'k' } };
  const first = await here.send('POST turns', send);
  here.tape.taken();
  expect(await here.send('POST turns', send)).toEqual(first);
  expect(here.tape.taken()).toEqual(['fetch 7']);
  const other = await openHost();
  await other.send('GET state', { token: tokenA });
  other.tape.taken();
  expect(await other.send('POST turns', send)).toEqual(first);
  expect(other.tape.taken()).toEqual(['fetch 7', 'events 7-7']);
});

test('a forged or malformed token causes no storage call', async () => {
  const { here, tokenA } = await openWorld();
  const forged = tokenA.slice(0, -1) + (tokenA.endsWith('x') ? 'y' : 'x');
  for (const token of [forged, 'prt_short', 'other']) {
    expect(await here.send('GET state', { token })).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  }
  expect(here.tape.taken()).toEqual([]);
});

test('a request over the rate limit causes no storage call', async () => {
  const { here, tokenA } = await openWorld({ limits: { perToken: 1 } });
  await here.send('GET state', { token: tokenA });
  here.tape.taken();
  expect(await here.send('GET state', { token: tokenA })).toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    headers: { 'Retry-After': '60' },
  });
  expect(here.tape.taken()).toEqual([]);
});

test('health causes no storage call', async () => {
  const { here } = await openWorld();
  expect(await here.send('GET /health')).toMatchObject({
    status: 200,
    body: { ok: true, service: 'parley', time: '2026-11-21T09:00:00.000Z' },
  });
  expect(here.tape.taken()).toEqual([]);
});

test('a held poll that ends by a write here is the fetch of its beginning', async () => {
  const { here, tokenA, tokenB, turn } = await openWorld();
  const poll = here.send('GET state', { token: tokenB, query: { wait: '25' } });
  await here.send('POST turns', { token: tokenA, body: turn() });
  expect(await poll).toMatchObject({ status: 200, body: { your_turn: true, timed_out: false } });
  expect(here.tape.taken().filter((call) => call.startsWith('fetch'))).toEqual(['fetch 6']);
});

test('each call of a batch over MCP causes the storage calls of a single call', async () => {
  const { here, tokenA, turn } = await openWorld();
  const admission = await here.admit(tokenA);
  await admission.callTool('read_task', {});
  await admission.callTool('post_turn', turn());
  await admission.callTool('read_session_state', {});
  expect(here.tape.taken()).toEqual(['fetch 6', 'append 7', 'fetch 7']);
});
