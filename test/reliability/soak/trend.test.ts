import { expect, test } from 'vitest';
import { grows, trendOf } from './trend.ts';

test('draws the line of least squares', () => {
  expect(trendOf([10, 12, 14, 16])).toEqual({ rise: 6, scatter: 0, mean: 13 });
  expect(trendOf([5, 5, 5])).toEqual({ rise: 0, scatter: 0, mean: 5 });
});

test('finds a slow leak under noise', () => {
  const leaking = Array.from({ length: 20 }, (_, n) => 100 + 0.5 * n + (n % 2));
  expect(grows(trendOf(leaking))).toBe(true);
});

test('takes noise, a fall and a rise of nothing for what they are', () => {
  expect(grows(trendOf([100, 108, 96, 104, 99, 106, 97, 105]))).toBe(false);
  expect(grows(trendOf([100, 90, 80, 70]))).toBe(false);
  expect(grows(trendOf([100, 100.5, 101, 101.5]))).toBe(false);
});
