import { describe, expect, test } from 'vitest';
import { ParleyError } from '../../../src/kernel/errors.ts';
import { createMemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import {
  bucketOf,
  createLocalWindows,
  createSharedWindows,
  type RateWindows,
} from '../../../src/kernel/token/rate-windows.ts';
import { START, virtualClock } from '../support/virtual-clock.ts';

/** Adds `amount` to the count of a bucket. Returns `ok`, or the seconds after which a refused caller may try again. */
async function take(windows: RateWindows, bucket: string, limit: number, amount = 1): Promise<unknown> {
  try {
    await windows.take(bucketOf('address', bucket), limit, amount);
    return 'ok';
  } catch (error) {
    if (!(error instanceof ParleyError) || error.code !== 'RATE_LIMITED') throw error;
    return error.retryAfterSeconds;
  }
}

async function passed(windows: RateWindows, count: number, limit: number): Promise<number> {
  const results = await Promise.all(Array.from({ length: count }, () => take(windows, 'b', limit)));
  return results.filter((result) => result === 'ok').length;
}

const storageAt = (now: () => number) => createMemoryStorage({ now });

describe.each([
  ['one process', (clock: ReturnType<typeof virtualClock>) => createLocalWindows(clock)],
  ['shared', (clock: ReturnType<typeof virtualClock>) => createSharedWindows(storageAt(clock.now), clock)],
])('windows of %s', (_kind, open) => {
  test('exactly the limit passes in each window, aligned to the minute', async () => {
    const clock = virtualClock(START + 59_000);
    const windows = open(clock);
    expect(await passed(windows, 700, 600)).toBe(600);
    clock.jump(999);
    expect(await passed(windows, 1, 600)).toBe(0);
    clock.jump(1);
    expect(await passed(windows, 700, 600)).toBe(600);
    clock.jump(59_999);
    expect(await passed(windows, 1, 600)).toBe(0);
    clock.jump(1);
    expect(await passed(windows, 1, 600)).toBe(1);
  });

  test.each([
    [0, 60],
    [1, 60],
    [999, 60],
    [1_000, 59],
    [58_999, 2],
    [59_000, 1],
    [59_999, 1],
  ])('%i ms into the minute a refusal says to wait %i s', async (ms, seconds) => {
    const windows = open(virtualClock(START + ms));
    expect(await take(windows, 'b', 0)).toBe(seconds);
  });

  test('buckets are counted separately', async () => {
    const windows = open(virtualClock());
    expect([await take(windows, 'a', 1), await take(windows, 'b', 1)]).toEqual(['ok', 'ok']);
    expect([await take(windows, 'a', 1), await take(windows, 'b', 1)]).toEqual([60, 60]);
  });

  test('an amount is taken whole or not at all', async () => {
    const windows = open(virtualClock());
    expect(await take(windows, 'b', 10, 8)).toBe('ok');
    expect(await take(windows, 'b', 10, 3)).toBe(60);
    expect(await take(windows, 'b', 10, 2)).toBe('ok');
    expect(await take(windows, 'b', 10, 1)).toBe(60);
  });

  test('an amount over the limit never passes and leaves the window to others', async () => {
    const windows = open(virtualClock());
    expect(await take(windows, 'b', 10, 11)).toBe(60);
    expect(await take(windows, 'b', 10, 10)).toBe('ok');
  });
});

describe('shared windows', () => {
  test.each([
    ['token', 'token:x'],
    ['address', 'address:x'],
    ['redeem', 'redeem:x'],
  ] as const)('count a bucket of the window %s as %s, as every version did', async (window, bucket) => {
    const storage = storageAt(virtualClock().now);
    await createSharedWindows(storage, virtualClock()).take(bucketOf(window, 'x'), 10, 3);
    expect(await storage.countWindow(60_000, [{ bucket, n: 0 }])).toEqual([{ bucket, n: 3 }]);
  });

  test('two processes on one storage share the limit', async () => {
    const clock = virtualClock();
    const storage = storageAt(clock.now);
    const [one, two] = [createSharedWindows(storage, clock), createSharedWindows(storage.sibling(), clock)];
    const [here, there] = await Promise.all([passed(one, 500, 600), passed(two, 500, 600)]);
    expect(here + there).toBe(600);
  });

  test('a full bucket is answered from memory, for a second', async () => {
    const clock = virtualClock();
    const storage = storageAt(clock.now);
    let asked = 0;
    const counting = {
      ...storage,
      countWindow: (...args: Parameters<typeof storage.countWindow>) => {
        asked += 1;
        return storage.countWindow(...args);
      },
    };
    const windows = createSharedWindows(counting, clock);
    await passed(windows, 3, 2);
    expect(asked).toBe(3);
    await passed(windows, 500, 2);
    expect(asked).toBe(3);
    clock.jump(1_000);
    await passed(windows, 1, 2);
    await passed(windows, 500, 2);
    expect(asked).toBe(4);
  });

  test('a clock ahead of the storage does not lock a bucket out of the next window', async () => {
    const clock = virtualClock(START + 59_000);
    const ahead = virtualClock(START + 60_500);
    const windows = createSharedWindows(storageAt(clock.now), ahead);
    expect(await passed(windows, 3, 2)).toBe(2);
    clock.jump(1_000);
    ahead.jump(1_000);
    expect(await passed(windows, 3, 2)).toBe(2);
  });
});

test('the number of forged buckets is limited, and the least recently used bucket is evicted', async () => {
  const windows = createLocalWindows(virtualClock());
  expect(await take(windows, 'first', 1)).toBe('ok');
  for (let n = 0; n < 199_999; n += 1) void windows.take(bucketOf('token', `forged ${n}`), 1, 1);
  expect(await take(windows, 'first', 1)).toBe(60);
  for (let n = 199_999; n < 400_000; n += 1) void windows.take(bucketOf('token', `forged ${n}`), 1, 1);
  expect(await take(windows, 'first', 1)).toBe('ok');
});
