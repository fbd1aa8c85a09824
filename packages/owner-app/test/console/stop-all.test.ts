import { expect, test } from 'vitest';
import { pausedText, resumedText } from '../../console/src/state/stop-words.ts';

test.each([
  [{ done: 39, failed: 0 }, '39 of 39 sessions paused.', '39 sessions resumed.'],
  [{ done: 1, failed: 0 }, '1 of 1 session paused.', '1 session resumed.'],
  [
    { done: 37, failed: 2 },
    '37 of 39 sessions paused. The table of sessions shows which still run.',
    '37 of 39 sessions resumed. The table of sessions shows which are still paused.',
  ],
  [{ done: 0, failed: 0 }, 'No session was running.', 'These sessions were already resumed or ended.'],
])('the confirmations of Stop all and of its undo count the sessions: %j', (changed, paused, resumed) => {
  expect(pausedText(changed)).toBe(paused);
  expect(resumedText(changed)).toBe(resumed);
});
