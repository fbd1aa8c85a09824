import { describe, expect, onTestFinished, test } from 'vitest';
import { startPgBouncer } from '../../../scripts/servers/pgbouncer-server.ts';
import { startRedis } from '../../../scripts/servers/redis-server.ts';
import { findProgram } from '../../../scripts/servers/side-program.ts';
import type { HostOptions } from './host/host-options.ts';
import { query } from './support/database.ts';
import { rounds, spread } from './support/rounds.ts';
import { databaseServer, openScene, type Scene } from './support/scene.ts';
import { wakesOf } from './support/waking.ts';

const SESSIONS = 20;
const WAKES = rounds(3, 50);
/** Without hints a change is noticed within ten seconds. The eleventh second is for a slow machine. */
const BACKSTOP_MS = 11_000;
const canRun = (name: string, required: string): boolean =>
  databaseServer !== null && findProgram(name, required) !== null;

/** Agents wait at the first host for turns that are posted at the second. */
async function wakingOn(scene: Scene, options: Partial<HostOptions>) {
  const [here, there, seated] = await Promise.all([
    scene.start(options),
    scene.start(options),
    scene.seatMany(SESSIONS),
  ]);
  return wakesOf({ here, there, seated });
}

async function openedScene(): Promise<Scene> {
  const scene = await openScene();
  onTestFinished(scene.close);
  return scene;
}

describe.skipIf(!canRun('redis-server', 'REQUIRE_REDIS'))('with hints by Redis a poll', () => {
  test('is woken by a write at another process, also while Redis is killed and when it is back', async () => {
    const [scene, redis] = await Promise.all([openedScene(), startRedis()]);
    if (redis === null) throw new Error('no Redis');
    onTestFinished(redis.stop);
    const wakeAll = await wakingOn(scene, { redisUrl: redis.url });
    const listening = "select 1 from pg_stat_activity where datname = current_database() and query ~* '^listen'";
    expect(await query(scene.databaseUrl, listening)).toEqual([]);

    const took: number[] = [];
    for (let round = 0; round < WAKES; round += 1) took.push(...(await wakeAll()));
    const without = await wakeAll(redis.crash);
    await redis.start();
    for (let round = 0; round < WAKES; round += 1) took.push(...(await wakeAll()));
    expect(Math.max(...took, ...without)).toBeLessThan(BACKSTOP_MS);
    console.log(`by Redis: ${spread(took)}; while it was killed: ${spread(without)}`);
  });
});

describe.skipIf(!canRun('pgbouncer', 'REQUIRE_PGBOUNCER'))('through PgBouncer in transaction mode', () => {
  test('a poll is woken by a write at another process, with LISTEN past the pooler', async () => {
    const scene = await openedScene();
    const pooler = await startPgBouncer(scene.databaseUrl);
    if (pooler === null) throw new Error('no PgBouncer');
    onTestFinished(pooler.stop);
    const database = { connectionString: pooler.url, hintConnectionString: scene.databaseUrl };
    const wakeAll = await wakingOn(scene, { database });
    const took: number[] = [];
    for (let round = 0; round < WAKES; round += 1) took.push(...(await wakeAll()));
    expect(took).toHaveLength(SESSIONS * WAKES);
    expect(Math.max(...took)).toBeLessThan(BACKSTOP_MS);
    console.log(`through PgBouncer: ${spread(took)}`);
  });
});
