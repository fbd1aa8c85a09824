import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from './stage/ask.ts';
import { poll, untilHeld } from './stage/holding.ts';
import type { HostProcess } from './stage/host-process.ts';
import { rounds } from './stage/rounds.ts';
import { databaseServer, openScene, type Scene, type Seat } from './stage/scene.ts';

const WAITERS = rounds(1_000, 5_000);
const CONNECTING = 200;
/** What the event loop may be kept for, and as much again for a machine that is shared. */
const BLOCK_MS = 2 * 50;

describe.skipIf(databaseServer === null)(`waking ${WAITERS} polls of one process`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    return scene.close;
  });

  test('of one session leaves the event loop free', { timeout: 120_000 }, async () => {
    const host = await scene.start({ limits: { heldPollsPerToken: WAITERS } });
    const { agent_a, agent_b } = await scene.seat();
    await expectFreeLoop(
      host,
      Array.from({ length: WAITERS }, () => agent_b),
      () => scene.owner.pause(agent_a.sessionId, { reason: 'A break.' }),
    );
  });

  test('of many sessions, all hinted at in one moment, leaves the event loop free', { timeout: 120_000 }, async () => {
    const host = await scene.start();
    // Eight polls of one token are held at most.
    const seated = await scene.seatMany(WAITERS / 8);
    await expectFreeLoop(
      host,
      seated.flatMap(({ agent_b }) => Array.from({ length: 8 }, () => agent_b)),
      () => Promise.all(seated.map(({ agent_a }) => scene.owner.pause(agent_a.sessionId, { reason: 'A break.' }))),
    );
  });
});

async function expectFreeLoop(host: HostProcess, seats: readonly Seat[], write: () => Promise<unknown>): Promise<void> {
  const waiting: Promise<Reply>[] = [];
  for (let from = 0; from < seats.length; from += CONNECTING) {
    waiting.push(...seats.slice(from, from + CONNECTING).map((seat) => poll(host, seat)));
    await untilHeld(host, waiting.length);
  }
  await host.longestBlock();
  await write();
  const woken = await Promise.all(waiting);
  const { wallMs, busyMs, histogramMs } = await host.longestBlock();
  expect(new Set(woken.map(({ body }) => `${body.status} ${body.timed_out}`))).toEqual(new Set(['PAUSED false']));
  console.log(
    `${seats.length} woken: the loop was blocked for ${busyMs.toFixed(1)} ms of work, ` +
      `${wallMs.toFixed(1)} ms by the clock, ${histogramMs.toFixed(1)} ms by the histogram`,
  );
  expect(busyMs).toBeLessThan(BLOCK_MS);
}
