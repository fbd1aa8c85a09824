import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from './support/ask.ts';
import { pollForNews, untilHeld } from './support/holding.ts';
import type { HostProcess } from './support/host-process.ts';
import { rounds } from './support/rounds.ts';
import { databaseServer, type NewSeat, type NewSeats, openScene, type Scene } from './support/scene.ts';

const WAITERS = rounds(1_000, 5_000);
const CONNECTING = 200;
/**
 * Maximum milliseconds for which the event loop may be blocked: 50, doubled because other programs run on the machine.
 */
const BLOCK_MS = 2 * 50;

describe.skipIf(databaseServer === null)(`waking ${WAITERS} polls of one process`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    return scene.close;
  });

  const pauseAll = (seated: readonly NewSeats[]) => () =>
    Promise.all(seated.map(({ agent_a }) => scene.owner.pause(agent_a.sessionId, { reason: 'A break.' })));

  /** Returns each seat eight times, because one token can hold eight polls. */
  const eachEightTimes = (seated: readonly NewSeats[]): NewSeat[] =>
    seated.flatMap(({ agent_b }) => Array.from({ length: 8 }, () => agent_b));

  test('of one session leaves the event loop free', async () => {
    const host = await scene.start({ limits: { heldPollsPerToken: WAITERS } });
    const seats = await scene.seat();
    const held = Array.from({ length: WAITERS }, () => seats.agent_b);
    await expectFreeLoop({ host, held, wake: pauseAll([seats]), status: 'PAUSED' });
  });

  test('of many sessions, all hinted at in one moment, leaves the event loop free', async () => {
    const host = await scene.start();
    const seated = await scene.seatMany(WAITERS / 8);
    await expectFreeLoop({ host, held: eachEightTimes(seated), wake: pauseAll(seated), status: 'PAUSED' });
  });

  test('before a restart leaves the event loop free', async () => {
    const host = await scene.start();
    const held = eachEightTimes(await scene.seatMany(WAITERS / 8));
    await expectFreeLoop({ host, held, wake: host.drain, status: 'ACTIVE' });
  });
});

interface Waking {
  readonly host: HostProcess;
  readonly held: readonly NewSeat[];
  readonly wake: () => Promise<unknown>;
  readonly status: string;
}

async function expectFreeLoop({ host, held, wake, status }: Waking): Promise<void> {
  const waiting: Promise<Reply>[] = [];
  for (let from = 0; from < held.length; from += CONNECTING) {
    waiting.push(...held.slice(from, from + CONNECTING).map((seat) => pollForNews(host, seat)));
    await untilHeld(host, waiting.length);
  }
  await host.longestBlock();
  await wake();
  const woken = await Promise.all(waiting);
  const { wallMs, busyMs, histogramMs } = await host.longestBlock();
  expect(new Set(woken.map(({ body }) => body.status))).toEqual(new Set([status]));
  console.log(
    `${held.length} woken: the loop was blocked for ${busyMs.toFixed(1)} ms of work, ` +
      `${wallMs.toFixed(1)} ms by the clock, ${histogramMs.toFixed(1)} ms by the histogram`,
  );
  expect(busyMs).toBeLessThan(BLOCK_MS);
}
