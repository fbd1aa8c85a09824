import { setTimeout as pause } from 'node:timers/promises';
import type { Limits } from '@parley/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, type Reply, send } from './support/ask.ts';
import { query } from './support/database.ts';
import type { HostProcess } from './support/host-process.ts';
import { isFull } from './support/rounds.ts';
import { databaseServer, openScene, type Scene } from './support/scene.ts';

const PROCESSES = 4;
const MINUTE_MS = 60_000;
/** A flood begins only if this much of the current minute is left. */
const NEEDED_MS = isFull ? 40_000 : 10_000;

/** A full run has the limits of the specification. A short run has smaller limits, so that few requests reach them. */
const LIMITS: Partial<Limits> = isFull
  ? { perToken: 600, perAddress: 60, redeemPerAddress: 10 }
  : { perToken: 60, perAddress: 20, redeemPerAddress: 10 };
const REQUESTS = isFull ? { token: 5_000, address: 500, redeem: 200 } : { token: 400, address: 120, redeem: 80 };

describe.skipIf(databaseServer === null)(`rate windows of ${PROCESSES} processes`, () => {
  let scene: Scene;
  let hosts: HostProcess[];
  beforeAll(async () => {
    scene = await openScene();
    hosts = await Promise.all(
      Array.from({ length: PROCESSES }, () => scene.start({ limits: LIMITS, sharedLimits: true })),
    );
    return scene.close;
  });

  const hostAt = (index: number): HostProcess => {
    const host = hosts[index % PROCESSES];
    if (!host) throw new Error('no such host');
    return host;
  };

  /** Sends `count` requests at the same time, spread over the processes, within one rate window of the database. */
  async function flood(count: number, request: (host: HostProcess) => Promise<Reply>): Promise<Flood> {
    await untilLeft(scene.databaseUrl, NEEDED_MS);
    for (;;) {
      const began = await readNow(scene.databaseUrl);
      const replies = await Promise.all(Array.from({ length: count }, (_, index) => request(hostAt(index))));
      const ended = await readNow(scene.databaseUrl);
      if (minuteOf(began) === minuteOf(ended)) return { replies, began, ended };
      await untilLeft(scene.databaseUrl, MINUTE_MS);
    }
  }

  test('let through exactly the limit of a token', async () => {
    const { agent_a: seat } = await scene.seat();
    const flooded = await flood(REQUESTS.token, (host) => ask({ host, seat, route: 'GET state' }));
    expectExact(flooded, 200, Number(LIMITS.perToken));
  });

  test('let through exactly the limit of an address without a token', async () => {
    const { agent_a: seat } = await scene.seat();
    const flooded = await flood(REQUESTS.address, (host) =>
      send(`${host.baseUrl}/sessions/${seat.sessionId}/state`, { method: 'GET' }),
    );
    expectExact(flooded, 401, Number(LIMITS.perAddress));
  });

  test('let through exactly the limit of redemptions of an address', async () => {
    const flooded = await flood(REQUESTS.redeem, (host) =>
      send(`${host.baseUrl}/invitations/redeem`, { method: 'POST', body: '{"code":"pinv_none"}' }),
    );
    expectExact(flooded, 404, Number(LIMITS.redeemPerAddress));
  });

  test.runIf(isFull)('open again with the next window', async () => {
    const { agent_a: seat } = await scene.seat();
    const first = await flood(REQUESTS.token, (host) => ask({ host, seat, route: 'GET state' }));
    expectExact(first, 200, Number(LIMITS.perToken));
    await untilLeft(scene.databaseUrl, MINUTE_MS);
    const second = await flood(REQUESTS.token, (host) => ask({ host, seat, route: 'GET state' }));
    expectExact(second, 200, Number(LIMITS.perToken));
  });
});

interface Flood {
  readonly replies: readonly Reply[];
  /** Start of the flood by the clock of the database, in milliseconds since the epoch. */
  readonly began: number;
  readonly ended: number;
}

function expectExact({ replies, began, ended }: Flood, status: number, limit: number): void {
  const passed = replies.filter((reply) => reply.status === status);
  const refused = replies.filter((reply) => reply.status === 429);
  expect([passed.length, refused.length]).toEqual([limit, replies.length - limit]);
  const waits = refused.map(({ body }) => Number(body.retry_after_seconds));
  expect(refused.map(({ retryAfter }) => Number(retryAfter))).toEqual(waits);
  expect(new Set(refused.map(({ body }) => body.error))).toEqual(new Set(['RATE_LIMITED']));
  expect(Math.max(...waits)).toBeLessThanOrEqual(secondsLeft(began));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(secondsLeft(ended));
  console.log(`${passed.length} of ${replies.length} requests passed in ${(ended - began).toFixed(0)} ms`);
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
const leftOf = (ms: number): number => MINUTE_MS - (ms % MINUTE_MS);
const secondsLeft = (ms: number): number => Math.max(1, Math.ceil(leftOf(ms) / 1000));

async function readNow(url: string): Promise<number> {
  const [row] = await query<{ ms: string }>(
    url,
    'select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms',
  );
  return Number(row?.ms);
}

/** Waits for the next minute if less than `neededMs` of the current minute is left. */
async function untilLeft(url: string, neededMs: number): Promise<void> {
  const left = leftOf(await readNow(url));
  if (left < neededMs) await pause(left + 10);
}
