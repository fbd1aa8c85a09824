import { getEventListeners } from 'node:events';
import { Client } from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresHintLink } from '../../src/hints/postgres-hint-link.ts';
import { databaseUrl, newDatabase, query } from '../new-database.ts';

const LISTENING = "from pg_stat_activity where datname = current_database() and query like 'listen%'";

describe.skipIf(databaseUrl === null)('a listening connection', () => {
  let url = '';
  beforeAll(async () => {
    const database = await newDatabase();
    url = database.url;
    return database.drop;
  });

  test("that broke leaves no listener on its owner's signal", async () => {
    const closing = new AbortController();
    const link = await openPostgresHintLink({ connectionString: url }, 'parley', () => undefined);
    const lost = link.untilLost(closing.signal);
    await query(url, `select pg_terminate_backend(pid) ${LISTENING}`);
    await lost;
    expect(getEventListeners(closing.signal, 'abort')).toEqual([]);
  });

  // So does a pooler that gives each transaction another connection of the server.
  test('sends each hint unchanged, also after its prepared statements were discarded', async () => {
    const closing = new AbortController();
    const spy = vi.spyOn(Client.prototype, 'query');
    const arrived: string[] = [];
    const link = await openPostgresHintLink({ connectionString: url }, 'parley', (payload) => arrived.push(payload));
    onTestFinished(async () => {
      spy.mockRestore();
      closing.abort();
      await link.untilLost(closing.signal);
    });
    const connection = spy.mock.contexts.at(-1);
    if (!(connection instanceof Client)) expect.fail('The link has no connection.');
    await link.notify(['one']);
    await connection.query('deallocate all');
    await link.notify(["it's", 'a \\ "b"']);
    await expect.poll(() => arrived).toEqual(['one', "it's", 'a \\ "b"']);
  });

  test('ends when the signal aborts, also if the signal has already aborted', async () => {
    const closing = new AbortController();
    const link = await openPostgresHintLink({ connectionString: url }, 'parley', () => undefined);
    const early = await openPostgresHintLink({ connectionString: url }, 'parley', () => undefined);
    const lost = link.untilLost(closing.signal);
    closing.abort();
    await lost;
    await early.untilLost(closing.signal);
    await expect.poll(async () => await query(url, `select pid ${LISTENING}`)).toEqual([]);
  });
});
