import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { endListening } from './support/database.ts';
import { drawsFrom } from './support/draws.ts';
import { pollForNews, untilHeld } from './support/holding.ts';
import { isFull, rounds, spread } from './support/rounds.ts';
import { databaseServer, openScene, type Scene } from './support/scene.ts';
import { wakesOf } from './support/waking.ts';

const SESSIONS = 20;
const WAKES = rounds(5, 50);
const CUTS = rounds(4, 50);
/**
 * Application names of the database connections that break: those of the waiting process, of the writing process, or of
 * both.
 */
const CUT_OFF: [string, ...string[]] = isFull ? ['here', 'there', '%'] : ['here', '%'];
/** Without hints a change is noticed within ten seconds. The eleventh second is for a slow machine. */
const BACKSTOP_MS = 11_000;

describe.skipIf(databaseServer === null)('a poll held at one process', () => {
  let scene: Scene;
  let wakeAll: ReturnType<typeof wakesOf>;

  beforeAll(async () => {
    scene = await openScene();
    const named = (name: string) => ({
      database: {
        connectionString: scene.databaseUrl,
        hintConnectionString: `${scene.databaseUrl}?application_name=${name}`,
      },
    });
    const [here, there, seated] = await Promise.all([
      scene.start(named('here')),
      scene.start(named('there')),
      scene.seatMany(SESSIONS),
    ]);
    wakeAll = wakesOf({ here, there, seated });
    return scene.close;
  });

  test('wakes at every write at another', async () => {
    const took: number[] = [];
    for (let round = 0; round < WAKES; round += 1) took.push(...(await wakeAll()));
    expect(took).toHaveLength(SESSIONS * WAKES);
    expect(Math.max(...took)).toBeLessThan(BACKSTOP_MS);
    console.log(`${took.length} of ${took.length} woken: ${spread(took)}`);
  });

  test('misses nothing while the listening connections are killed', async () => {
    const draws = drawsFrom(1);
    const took: number[] = [];
    let killed = 0;
    for (let cut = 0; cut < CUTS; cut += 1) {
      const cutInTheMiddle = async (): Promise<void> => {
        await pause(draws.whole(0, 25));
        const whose = draws.oneOf(CUT_OFF);
        let ended = 0;
        while (ended === 0) ended = await endListening(scene.databaseUrl, whose);
        killed += ended;
      };
      took.push(...(await wakeAll(cutInTheMiddle)));
    }
    expect(Math.max(...took)).toBeLessThan(BACKSTOP_MS);
    console.log(`${killed} listening connections killed, ${took.length} woken: ${spread(took)}`);
  });
});

describe.skipIf(databaseServer === null)('without hints', () => {
  test('a poll hears of a write at another process within eleven seconds', async () => {
    const scene = await openScene({ hints: 'off' });
    try {
      const database = { connectionString: scene.databaseUrl, hints: 'off' as const };
      const host = await scene.start({ database });
      const seated = await scene.seatMany(SESSIONS);
      const waiting = seated.map(({ agent_b }) => pollForNews(host, agent_b));
      await untilHeld(host, SESSIONS);
      await Promise.all(seated.map(({ agent_a }) => scene.owner.pause(agent_a.sessionId, { reason: 'A break.' })));
      const start = performance.now();
      const woken = await Promise.all(waiting);
      expect(await endListening(scene.databaseUrl, '%')).toBe(0);
      expect(woken.map(({ body }) => [body.status, body.timed_out])).toEqual(seated.map(() => ['PAUSED', false]));
      const took = woken.map(({ at }) => at - start);
      expect(Math.max(...took)).toBeLessThan(BACKSTOP_MS);
      console.log(`without hints, ${took.length} of ${took.length} woken: ${spread(took)}`);
    } finally {
      await scene.close();
    }
  });
});
