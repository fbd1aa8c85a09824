import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@parley/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../scripts/servers/postgres-server.ts';
import { createPgliteStorage, createPostgresStorage } from '../src/index.ts';
import { type Child, compileChild, startChild } from './child-process.ts';
import { databaseUrl } from './new-database.ts';
import { fillPgliteFolder } from './pglite/pglite-template.ts';
import { GENESIS, startSessions } from './samples.ts';

/** Number of crashes. Default: one. `pnpm test:crash` sets more. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 1);
const SESSIONS = 8;

let program = '';
beforeAll(async () => {
  program = await compileChild('keep-appending');
});

/** Checks that each log contains every acknowledged event and is one hash chain without gaps. */
async function expectNothingLost(storage: Storage, child: Child): Promise<void> {
  const acknowledged = new Map<string, number>();
  for (const line of child.lines) {
    const [sessionId = '', seq = '0'] = line.split(' ');
    acknowledged.set(sessionId, Math.max(acknowledged.get(sessionId) ?? 0, Number(seq)));
  }
  expect(acknowledged.size).toBeGreaterThan(0);
  for (const [sessionId, seq] of acknowledged) {
    const head = await walk(storage, sessionId);
    expect(head).toBeGreaterThanOrEqual(seq);
  }
}

async function walk(storage: Storage, sessionId: string): Promise<number> {
  let last = GENESIS;
  for (;;) {
    const news = await storage.fetch(sessionId, last.seq);
    for (const { seq, hash, body } of news?.events ?? []) {
      expect({ seq, prev: JSON.parse(body).prev_hash }).toEqual({ seq: last.seq + 1, prev: last.hash });
      last = { seq, hash };
    }
    if (news?.more) continue;
    expect(news?.head).toEqual(last);
    return last.seq;
  }
}

/**
 * Returns the number of lines after which the child is killed. It is random, so that each round crashes at a different
 * moment.
 */
const someLines = (): number => 100 + Math.floor(Math.random() * 200);

test('a killed program on PGlite loses no acknowledged write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-crash-'));
  await fillPgliteFolder(folder);
  const storage = await createPgliteStorage({ folder });
  const ids = await startSessions(storage, SESSIONS);
  await storage.close();
  for (let round = 0; round < ROUNDS; round += 1) {
    const child = startChild(program, 'pglite', folder, ...ids);
    await child.wrote(someLines());
    await child.kill();
    const after = await createPgliteStorage({ folder });
    await expectNothingLost(after, child);
    await after.close();
  }
  await rm(folder, { recursive: true });
});

describe.skipIf(databaseUrl === null)('on PostgreSQL that writes to the disk', () => {
  let server: PostgresServer;
  let storage: Storage;

  beforeAll(async () => {
    const started = await startPostgres({ durable: true });
    if (started === null) throw new Error('no PostgreSQL server');
    server = started;
    storage = await createPostgresStorage({ connectionString: server.url });
    return async () => {
      await storage.close();
      await server.stop();
    };
  });

  test('a killed program loses no acknowledged write', async () => {
    const ids = await startSessions(storage, SESSIONS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const child = startChild(program, 'postgres', server.url, ...ids);
      await child.wrote(someLines());
      await child.kill();
      await expectNothingLost(storage, child);
    }
  });

  test('a crashed server loses no acknowledged write, and the program continues without a restart', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const child = startChild(program, 'postgres', server.url, ...(await startSessions(storage, SESSIONS)));
      await child.wrote(someLines());
      await server.crash();
      await server.restart();
      await child.wrote(child.lines.length + 50);
      await child.kill();
      await expectNothingLost(storage, child);
    }
  });
});
