import { timeText } from '@parley/core/text';
import { expect, test } from 'vitest';
import { withTimes } from '../../src/text/time.ts';

test.each([
  ['2026-11-21T03:46:12.001Z', '2026-11-21 03:46 UTC'],
  ['2026-11-21T03:46:12Z', '2026-11-21 03:46 UTC'],
  ['2026-11-21', '2026-11-21'],
  ['now', 'now'],
])('timeText(%j) is %j', (at, text) => {
  expect(timeText(at)).toBe(text);
});

test('withTimes changes the members that are times, and no other text', () => {
  const at = '2026-11-21T03:46:12.001Z';
  expect(withTimes({ created_at: at, reviews: [{ at, text: at }], expires_at: null, count: 2 })).toEqual({
    created_at: '2026-11-21 03:46 UTC',
    reviews: [{ at: '2026-11-21 03:46 UTC', text: '2026-11-21T03:46:12.001Z' }],
    expires_at: null,
    count: 2,
  });
});
