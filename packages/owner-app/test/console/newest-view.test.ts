import { expect, test } from 'vitest';
import { newestOf } from '../../console/src/state/latest-read.ts';

test('of two overlapping reads, the answer with the later state is shown', () => {
  const earlier = { head: { seq: 7 } };
  const later = { head: { seq: 9 } };
  expect(newestOf(null, earlier)).toBe(earlier);
  expect(newestOf(earlier, later)).toBe(later);
  expect(newestOf(later, earlier)).toBe(later);
  const again = { head: { seq: 9 } };
  expect(newestOf(later, again)).toBe(again);
});
