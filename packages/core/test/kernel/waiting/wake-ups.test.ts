import { expect, test } from 'vitest';
import { Waiters } from '../../../src/kernel/waiting/waiters.ts';
import { startWakeUps } from '../../../src/kernel/waiting/wake-ups.ts';
import { createTestClock } from '../../../src/testing/test-engine.ts';
import { type Notes, notes } from '../support/notes.ts';

/**
 * Starts wake-ups for 1,000 sessions with waiters. Records the sessions whose waiters are looked up or whose states are
 * loaded.
 */
function open() {
  const clock = createTestClock();
  const waiters = new Waiters<Notes>(clock);
  for (let n = 0; n < 1_000; n += 1) waiters.register(`session-${n}`, 'holder', 1_000);
  const lookedUp: string[] = [];
  const loaded: string[] = [];
  let walks = 0;
  let hint = (_sessionIds: readonly string[]): void => undefined;
  const parts = {
    clock,
    storage: {
      onHint(listener: typeof hint) {
        hint = listener;
        return () => undefined;
      },
    },
    sessions: {
      async load(sessionId: string) {
        loaded.push(sessionId);
        return notes.empty(sessionId);
      },
    },
    waiters: {
      tick: () => waiters.tick(),
      publish: (...facts: Parameters<typeof waiters.publish>) => waiters.publish(...facts),
      end: (sessionId: string) => waiters.end(sessionId),
      isAwaited(sessionId: string) {
        lookedUp.push(sessionId);
        return waiters.isAwaited(sessionId);
      },
      sessionIds() {
        walks += 1;
        return waiters.sessionIds();
      },
    },
  };
  startWakeUps(parts, () => expect.unreachable());
  return { clock, lookedUp, loaded, walks: () => walks, hint: (...sessionIds: string[]) => hint(sessionIds) };
}

test('a hint looks up the sessions that it names, each once, and no others', () => {
  const { hint, lookedUp, loaded, walks } = open();
  hint('session-7', 'elsewhere', 'session-7', 'session-8');
  expect(lookedUp).toEqual(['session-7', 'elsewhere', 'session-8']);
  expect(loaded).toEqual(['session-7', 'session-8']);
  expect(walks()).toBe(0);
});

test('a hint that names no session, and the backstop every 10 s, fetch all awaited sessions', async () => {
  const { clock, hint, loaded } = open();
  hint();
  expect(loaded).toHaveLength(1_000);
  await clock.advance(9_999);
  expect(loaded).toHaveLength(1_000);
  await clock.advance(1);
  expect(loaded).toHaveLength(2_000);
});
