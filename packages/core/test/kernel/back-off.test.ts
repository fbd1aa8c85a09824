import { describe, expect, test } from 'vitest';
import { backOffMs } from '../../src/kernel/clock.ts';

const HOURLY = { firstMs: 5_000, mostMs: 3_600_000, random: 0 };

describe('backOffMs', () => {
  test('doubles the first pause with each failure, up to the bound', () => {
    const pauses = Array.from({ length: 13 }, (_, index) => backOffMs(index + 1, HOURLY) / 1000);
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600]);
  });

  test('stays at the bound after thousands of failures', () => {
    expect(backOffMs(2_000, HOURLY)).toBe(3_600_000);
  });

  test.each([
    [1, 0.5, 4_375],
    [1, 1, 3_750],
    [20, 1, 2_700_000],
  ])(
    'shortens the pause after failure %d by up to a quarter: the random number %d gives %d ms',
    (failures, random, pause) => {
      expect(backOffMs(failures, { ...HOURLY, random })).toBe(pause);
    },
  );
});
