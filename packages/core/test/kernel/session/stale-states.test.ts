import { expect, test } from 'vitest';
import { createSessions, DEFAULT_CACHE } from '../../../src/kernel/session/sessions.ts';
import { Waiters } from '../../../src/kernel/waiting/waiters.ts';
import { createTestClock } from '../../../src/testing/test-engine.ts';
import { nth, SESSION } from '../support/chain.ts';
import { appendOf, notes, numbered, storageWith } from '../support/notes.ts';

const open = () => {
  const waiters = new Waiters<number>(createTestClock());
  const register = () => waiters.register('s', 'holder', 8);
  const publish = (state: number, tick: number) => waiters.publish('s', state, { tick, knownSince: undefined });
  return { waiters, register, publish };
};

test('a state that was requested before a poll registered is stale for the poll', async () => {
  const { waiters, register, publish } = open();
  const early = register().until((state) => state > 0, 25_000);
  const sent = waiters.tick();
  const late = register().until((state) => state > 0, 25_000);
  expect(publish(1, sent)).toBe(false);
  expect(await early).toBe(1);
  expect(publish(2, waiters.tick())).toBe(true);
  expect(await late).toBe(2);
});

test('a state that arrives after a newer one is stale', async () => {
  const { waiters, register, publish } = open();
  const waiter = register();
  const [first, second] = [waiters.tick(), waiters.tick()];
  expect(publish(7, second)).toBe(true);
  expect(publish(6, first)).toBe(false);
  expect(await waiter.until((state) => state > 0, 25_000)).toBe(7);
});

test('an append acknowledged after a newer state was cached is not cached', async () => {
  const log = numbered(5);
  const memory = await storageWith(log.slice(0, 4));
  const sessions = createSessions(memory, notes, DEFAULT_CACHE);
  const fourth = await sessions.load(SESSION);
  await memory.append(appendOf(log, 1));
  const fifth = await sessions.load(SESSION);
  if (!fourth) throw new Error('The session is there.');
  expect(sessions.keep(nth(log, 2), fourth, [nth(log, 3)])).toBe(false);
  expect(sessions.peek(SESSION)).toBe(fifth);
});
