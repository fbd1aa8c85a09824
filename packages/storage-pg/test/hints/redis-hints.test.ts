import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@parley/core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../scripts/servers/free-port.ts';
import { type RedisServer, startRedis } from '../../../../scripts/servers/redis-server.ts';
import { findProgram } from '../../../../scripts/servers/side-program.ts';
import type { HintsWatcher } from '../../src/hints/hints.ts';
import { createPostgresStorage, createRedisHints } from '../../src/index.ts';
import { databaseUrl, newDatabase } from '../new-database.ts';

const canRun = databaseUrl !== null && findProgram('redis-server', 'REQUIRE_REDIS') !== null;

describe.skipIf(!canRun)('hints by Redis', () => {
  let redis: RedisServer;
  let database: string;

  beforeEach(async () => {
    redis = await started();
    database = await ownDatabase();
  });

  async function started(settings?: Readonly<Record<string, string>>): Promise<RedisServer> {
    const server = await startRedis(settings);
    if (server === null) throw new Error('no Redis');
    onTestFinished(() => server.stop());
    return server;
  }

  async function ownDatabase(): Promise<string> {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    return url;
  }

  async function opened(url: string, onHints?: HintsWatcher, at = redis.url): Promise<Storage> {
    const hints = await createRedisHints(at);
    const storage = await createPostgresStorage({ connectionString: url, hints, ...(onHints ? { onHints } : {}) });
    onTestFinished(() => storage.close());
    return storage;
  }

  /** Waits until the storage listens. Returns the list to which each received hint is added. */
  async function hearing(storage: Storage): Promise<(readonly string[])[]> {
    const heard: (readonly string[])[] = [];
    storage.onHint((sessionIds) => heard.push(sessionIds));
    await expect.poll(() => heard).toEqual([[]]);
    return heard;
  }

  test('continue when a killed Redis is back, and the listeners then check all sessions', async () => {
    const told: boolean[] = [];
    const [here, there] = await Promise.all([opened(database), opened(database, (one) => told.push(one.isLinked))]);
    const heard = await hearing(there);
    here.hint(['before']);
    await expect.poll(() => heard).toEqual([[], ['before']]);
    await redis.crash();
    await expect.poll(() => told).toEqual([true, false]);
    here.hint(['meanwhile']);
    await redis.start();
    await expect.poll(() => heard.slice(2)).toContainEqual([]);
    expect(told).toEqual([true, false, true]);
    const hinted = () => {
      here.hint(['after']);
      return heard;
    };
    await expect.poll(hinted).toContainEqual(['after']);
  });

  test('without Redis delay no start, call or end, and arrive once Redis runs', async () => {
    await redis.crash();
    const told: unknown[] = [];
    const storage = await opened(database, ({ isLinked, cause }) => told.push(isLinked || String(cause)));
    const heard: (readonly string[])[] = [];
    storage.onHint((sessionIds) => heard.push(sessionIds));
    storage.hint(['lost']);
    await storage.health();
    await expect.poll(() => told).toHaveLength(1);
    expect(told[0]).toContain('ECONNREFUSED');
    await redis.start();
    await expect.poll(() => heard).toEqual([[]]);
    expect(told.slice(1)).toEqual([true]);
  });

  test('to a Redis that accepts connections and never answers delay no start, call or end', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.resume())).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const told: unknown[] = [];
    const watcher: HintsWatcher = ({ isLinked, cause }) => told.push(isLinked || String(cause));
    const storage = await opened(database, watcher, `redis://127.0.0.1:${port}`);
    storage.hint(['lost']);
    await expect.poll(() => sockets.length).toBeGreaterThan(0);
    await storage.health();
    expect(told).toEqual([]);
    // It connects again, and leaves no connection behind.
    await expect.poll(() => sockets.length).toBeGreaterThan(2);
    expect(told).toEqual(['Error: Redis has not answered for 5 seconds.']);
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThan(1);
    await storage.close();
  });

  test('of another installation on the same Redis are ignored', async () => {
    const elsewhere = await ownDatabase();
    const [here, beside, stranger] = await Promise.all([opened(database), opened(database), opened(elsewhere)]);
    const heard = await hearing(here);
    await hearing(stranger);
    stranger.hint(['of a stranger']);
    const hinted = () => {
      beside.hint(['of our own']);
      return heard;
    };
    await expect.poll(hinted).toContainEqual(['of our own']);
    expect(heard.flat()).not.toContain('of a stranger');
  });

  test('with a wrong password report this without the password', async () => {
    const locked = await started({ requirepass: 'right' });
    const causes: unknown[] = [];
    const url = locked.url.replace('redis://', 'redis://default:not-the-word@');
    const storage = await opened(database, ({ cause }) => causes.push(cause), url);
    storage.onHint(() => undefined);
    await expect.poll(() => causes).toHaveLength(1);
    expect(String(causes[0])).toContain('WRONGPASS');
    expect(String(causes[0])).not.toContain('not-the-word');
  });

  test('over TLS are not sent to a server with an untrusted certificate', async () => {
    const tlsPort = await freePort();
    await started({ 'tls-port': String(tlsPort), 'tls-auth-clients': 'no', ...certificate() });
    const causes: unknown[] = [];
    const url = `rediss://127.0.0.1:${tlsPort}`;
    const storage = await opened(database, ({ cause }) => causes.push(cause), url);
    storage.onHint(() => undefined);
    await expect.poll(() => causes).toHaveLength(1);
    expect(causes[0]).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});

test.each(['http://127.0.0.1:6379', '127.0.0.1:6379', ''])('%j is no address of a Redis', async (url) => {
  await expect(createRedisHints(url)).rejects.toThrow('must have the form redis://host:6379');
});

/** Creates a self-signed certificate. Returns the settings with which Redis uses it. */
function certificate(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-redis-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', ...kind, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { 'tls-key-file': key, 'tls-cert-file': cert, 'tls-ca-cert-file': cert };
}
