import { expect, test } from 'vitest';
import { backOffMs } from '../../src/server/notify/back-off.ts';

test('waits twice as long each time, up to one hour', () => {
  const waits = Array.from({ length: 13 }, (_, index) => backOffMs(index + 1, 0) / 1000);
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600]);
  expect(backOffMs(2_000, 0)).toBe(3_600_000);
});

test('takes up to a quarter off at random', () => {
  expect([backOffMs(1, 0.5), backOffMs(1, 1), backOffMs(20, 1)]).toEqual([4_375, 3_750, 2_700_000]);
});
