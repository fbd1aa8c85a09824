import type { Seat } from '@parley/core/client';
import { createHttpHost, type Serving, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { createPostgresStorage } from '@parley/storage-pg';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase, openMemory } from './support/stores.ts';
import { createVirtualClock } from './support/virtual-clock.ts';
import { gatherIn, openWorld, type World } from './support/world.ts';

const HELD_MS = 25_000;
const LOOPBACK = { host: '127.0.0.1', port: 0 };

interface RawRequest {
  readonly url: string;
  readonly init: RequestInit;
}

const overRest = ({ url }: Serving, { session_id, token }: Seat): RawRequest => ({
  url: `${url}/api/public/agent/sessions/${session_id}/state?wait=25`,
  init: { headers: { authorization: `Bearer ${token}` } },
});

const overMcp = ({ url }: Serving, { token }: Seat): RawRequest => ({
  url: `${url}/api/public/mcp/${token}`,
  init: {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait_for_my_turn', arguments: { wait: 25 } },
    }),
  },
});

describe.each([
  ['REST', overRest],
  ['MCP', overMcp],
])('a client that goes away during a poll over %s', (_door, requestOf) => {
  test('frees its waiter at once', async () => {
    const clock = createVirtualClock();
    const world = await openWorld(await openMemory(), 'in process', clock);
    onTestFinished(() => world.close());
    const serving = await serveBoth(world);
    onTestFinished(() => serving.close());
    const { passes } = await gatherIn(world);

    const { url, init } = requestOf(serving, passes.agent_b);
    const client = new AbortController();
    const poll = fetch(url, { ...init, signal: client.signal });
    await clock.pending(HELD_MS, 1);
    client.abort();
    await expect(poll).rejects.toThrow('aborted');
    await clock.pending(HELD_MS, 0);
  });
});

function serveBoth({ parley }: World): Promise<Serving> {
  const rest = createHttpHost(parley);
  const mcp = createMcpHost(parley);
  const listener: Parameters<typeof serve>[0] = (request, response) =>
    mcp.handler(request, response, () => rest.handler(request, response));
  return serve(listener, { ...LOOPBACK, parley });
}

const databaseUrl = inject('databaseUrl');

describe.runIf(databaseUrl !== null)('held polls on PostgreSQL', () => {
  test('hold no connection, no transaction and no lock', async () => {
    const database = await openDatabase(databaseUrl ?? '');
    onTestFinished(() => database.remove());
    const connect = () => createPostgresStorage({ connectionString: database.url, poolMax: 1 });
    const clock = createVirtualClock();
    const world = await openWorld({ ...database, connect }, 'in process', clock);
    onTestFinished(() => world.close());
    const { agents } = await gatherIn(world);

    const polls = Array.from({ length: 8 }, () => agents.agent_b('wait_for_my_turn', { wait: 25 }));
    await clock.pending(HELD_MS, 8);
    // Waits until the hint about the last append has been sent.
    await expect.poll(() => busyConnections(database.url)).toEqual([]);

    await agents.agent_a('post_turn', { summary: 'Through the only connection.' });
    const states = await Promise.all(polls);
    expect(states.map(({ your_turn }) => your_turn)).toEqual([true, true, true, true, true, true, true, true]);
  });
});

/** Statements in progress on other connections of the database. */
async function busyConnections(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client
    .query(
      `select a.state, a.query, count(l.pid)::int as locks
       from pg_stat_activity a left join pg_locks l on l.pid = a.pid
       where a.datname = current_database() and a.pid <> pg_backend_pid()
       group by a.pid, a.state, a.query having a.state <> 'idle' or count(l.pid) > 0`,
    )
    .finally(() => client.end());
  return rows;
}
