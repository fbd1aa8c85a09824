import { describe, expect, test } from 'vitest';
import { createTestClock, createTestRandom } from '../../src/testing/index.ts';

describe('the test clock', () => {
  test('does not change until it is advanced', () => {
    const clock = createTestClock('2026-05-01T00:00:00.000Z');
    expect(clock.now()).toBe(Date.parse('2026-05-01T00:00:00.000Z'));
    clock.advance(1_000);
    expect(clock.now()).toBe(Date.parse('2026-05-01T00:00:01.000Z'));
  });

  test('runs timers in order of time, each at its time, also timers that a timer sets', () => {
    const clock = createTestClock();
    const start = clock.now();
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name} at ${clock.now() - start}`);
    clock.after(30, note('late'));
    clock.after(10, () => {
      note('early')();
      clock.after(10, note('set on the way'));
    });
    clock.after(200, note('too late'));
    clock.advance(100);
    expect(ran).toEqual(['early at 10', 'set on the way at 20', 'late at 30']);
    expect(clock.pending()).toBe(1);
  });

  test('forgets a timer that was cancelled', () => {
    const clock = createTestClock();
    clock.after(10, () => expect.unreachable())();
    clock.advance(10);
    expect(clock.pending()).toBe(0);
  });
});

test('the test random gives the same bytes for a seed, and other bytes for another seed', () => {
  const text = (seed: number) => Array.from(createTestRandom(seed)(8)).join(' ');
  expect(text(7)).toBe(text(7));
  expect(text(7)).not.toBe(text(8));
});
