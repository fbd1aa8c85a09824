import { describe, expect, test } from 'vitest';
import { median, quantile } from '../src/statistics.ts';

describe('the median', () => {
  test('of an odd count is the value in the middle', () => expect(median([9, 1, 4])).toBe(4));
  test('of an even count lies between the two in the middle', () => expect(median([9, 1, 4, 6])).toBe(5));
});

describe('a quantile', () => {
  test('lies between its neighbours where no value has its place', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.95)).toBe(48);
  });

  test('of 1 is the greatest value', () => expect(quantile([3, 1, 2], 1)).toBe(3));
  test('sorts numbers as numbers', () => expect(quantile([100, 9, 20, 3, 5], 0.5)).toBe(9));
  test('of nothing is refused', () => expect(() => quantile([], 0.5)).toThrow('A quantile needs at least one value.'));
});
