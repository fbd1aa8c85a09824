import { clockText } from '@parley/core/words';
import { expect, test } from 'vitest';

test.each([
  [0, 'agrees with the service'],
  [-435, 'agrees with the service'],
  [10_000, 'agrees with the service'],
  [42_300, 'about 42 s ahead of the service'],
  [-61_000, 'about 61 s behind the service'],
])('a clock that differs by %i ms: %s', (skew, text) => {
  expect(clockText(skew)).toBe(text);
});
