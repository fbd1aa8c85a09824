import { getEventListeners } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
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
