import { createMemoryStorage } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { expect, onTestFinished, test } from 'vitest';
import { load } from '../src/load.ts';
import { MOST_TURNS, openParley, type Seats, seat } from '../src/seats.ts';
import { postTurns, turnWriter } from '../src/traffic.ts';

async function sessions(count: number, rounds?: { readonly created: number; readonly added: number }) {
  const parley = await openParley(createMemoryStorage());
  onTestFinished(() => parley.close());
  const seated: Seats[] = [];
  while (seated.length < count) seated.push(await seat(parley, rounds));
  return { parley, seated };
}

async function serving(parley: Awaited<ReturnType<typeof sessions>>['parley']) {
  const { handler } = createHttpHost(parley);
  const { url, close } = await serve(handler, { host: '127.0.0.1', port: 0, parley });
  onTestFinished(() => close());
  return { url, ask: async () => 0 };
}

test('a load of turns ends before a session has none left, however fast the machine', async () => {
  const { parley, seated } = await sessions(32, { created: 3, added: 0 });
  const server = await serving(parley);
  // The load may last an hour, so the test ends in time only if the load ends before this hour is over.
  await load({ servers: [server], seconds: 3_600, next: postTurns(seated) });
  const posted = await Promise.all(
    seated.map(async ({ tokens: [token] }) => (await parley.agent(token).call('read_session_state', {})).turn_index),
  );
  expect(Math.max(...posted)).toBe(6);
});

test('a session says how many turns it takes, and takes all of them', async () => {
  const { parley, seated } = await sessions(1, { created: 2, added: 3 });
  const [seats] = seated;
  if (!seats) throw new Error('No session was seated.');
  const [server, next] = [await serving(parley), turnWriter(seats)];
  const statuses: number[] = [];
  for (let request = next(); request; request = next()) {
    const { method, path, headers, body } = request;
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: body ?? '',
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 200]);
});

test('a session without other wishes takes the most turns that there are', async () => {
  const { seated } = await sessions(1);
  expect([seated[0]?.turns, MOST_TURNS]).toEqual([2_000, 2_000]);
});
