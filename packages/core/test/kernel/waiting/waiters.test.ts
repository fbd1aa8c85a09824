import { expect, test } from 'vitest';
import { Waiters } from '../../../src/kernel/waiting/waiters.ts';
import { standing, virtualClock } from '../support/virtual-clock.ts';

const open = () => {
  const clock = virtualClock();
  return { clock, waiters: new Waiters<number>(clock) };
};
/** Publishes a state as if a statement sent now had confirmed it. */
const publish = (waiters: Waiters<number>, sessionId: string, state: number): boolean =>
  waiters.publish(sessionId, state, { tick: waiters.tick(), knownSince: undefined });
const atLeast = (bound: number) => (state: number) => state >= bound;

const hold = (waiters: Waiters<number>, holder = 'h', max = 8) => {
  const waiter = waiters.register('s', holder, max);
  return { waiter, result: waiter.until(atLeast(5), 25_000).finally(() => waiter.release()) };
};

test('the first state that isDone accepts ends the wait', async () => {
  const { clock, waiters } = open();
  const { result } = hold(waiters);
  publish(waiters, 's', 4);
  expect(await standing(result)).toBe('waiting');
  publish(waiters, 's', 6);
  publish(waiters, 's', 7);
  expect(await standing(result)).toBe(6);
  expect([waiters.count(), waiters.sessionIds(), clock.timers()]).toEqual([0, [], []]);
});

test('a state published between registration and wait is not lost', async () => {
  const { waiters } = open();
  const waiter = waiters.register('s', 'h', 8);
  publish(waiters, 's', 6);
  expect(await standing(waiter.until(atLeast(5), 25_000))).toBe(6);
});

test('a poll is counted from when it waits, not from when it is registered', async () => {
  const { clock, waiters } = open();
  const waiter = waiters.register('s', 'h', 8);
  expect([waiters.count(), clock.timers()]).toEqual([0, []]);
  const result = waiter.until(atLeast(5), 25_000);
  expect([waiters.count(), clock.timers()]).toEqual([1, [25_000]]);
  publish(waiters, 's', 6);
  expect(await standing(result)).toBe(6);
  expect(waiters.count()).toBe(1);
  waiter.release();
  expect(waiters.count()).toBe(0);
});

test('only waiters of the session see a published state', async () => {
  const { waiters } = open();
  const { result } = hold(waiters);
  publish(waiters, 't', 9);
  expect(await standing(result)).toBe('waiting');
});

test('a wait whose time is over resolves with null, and not earlier', async () => {
  const { clock, waiters } = open();
  const { result } = hold(waiters);
  await clock.advance(24_999);
  expect(await standing(result)).toBe('waiting');
  await clock.advance(1);
  expect(await standing(result)).toBeNull();
  expect(waiters.count()).toBe(0);
});

test('an error of isDone ends only its own wait', async () => {
  const { clock, waiters } = open();
  const revoked = waiters.register('s', 'h', 8);
  const refusal = new Error('revoked');
  const ended = standing(
    revoked.until(() => {
      throw refusal;
    }, 25_000),
  );
  const { result } = hold(waiters);
  publish(waiters, 's', 1);
  expect(await ended).toBe(refusal);
  expect(await standing(result)).toBe('waiting');
  expect(clock.timers()).toEqual([25_000]);
});

test('a wait ends at once when its client disconnects', async () => {
  const { clock, waiters } = open();
  const client = new AbortController();
  const waiter = waiters.register('s', 'h', 8);
  const result = waiter.until(atLeast(5), 25_000, client.signal);
  client.abort();
  expect(await standing(result)).toBeNull();
  expect(clock.timers()).toEqual([]);
});

test('a wait does not begin if its client has disconnected before', async () => {
  const { clock, waiters } = open();
  const waiter = waiters.register('s', 'h', 8);
  expect(await standing(waiter.until(atLeast(5), 25_000, AbortSignal.abort()))).toBeNull();
  expect(clock.timers()).toEqual([]);
});

test('the ninth poll of a holder ends its oldest poll', async () => {
  const { waiters } = open();
  const polls = Array.from({ length: 9 }, () => hold(waiters).result);
  const other = hold(waiters, 'other').result;
  expect(await Promise.all(polls.map(standing))).toEqual([null, ...Array.from({ length: 8 }, () => 'waiting')]);
  expect(await standing(other)).toBe('waiting');
  expect(waiters.count()).toBe(9);
});

test('a poll that is ended before it waits does not wait', async () => {
  const { waiters } = open();
  const oldest = waiters.register('s', 'h', 1);
  waiters.register('s', 'h', 1);
  expect(await standing(oldest.until(atLeast(5), 25_000))).toBeNull();
});

test('a released poll no longer counts for its holder', async () => {
  const { waiters } = open();
  const first = waiters.register('s', 'h', 1);
  first.release();
  const second = hold(waiters, 'h', 1);
  expect(await standing(second.result)).toBe('waiting');
});

test('releasing twice, or after another poll took the place, removes no other waiter', async () => {
  const { waiters } = open();
  const first = waiters.register('s', 'h', 1);
  const second = hold(waiters, 'h', 1);
  first.release();
  first.release();
  expect(waiters.count()).toBe(1);
  publish(waiters, 's', 5);
  expect(await standing(second.result)).toBe(5);
});

test('a wait that has ended keeps its result', async () => {
  const { clock, waiters } = open();
  const waiter = waiters.register('s', 'h', 8);
  const result = waiter.until(atLeast(5), 25_000);
  publish(waiters, 's', 5);
  publish(waiters, 's', 6);
  waiters.end('s');
  await clock.advance(25_000);
  expect(await standing(result)).toBe(5);
  expect(await standing(waiter.until(atLeast(5), 25_000))).toBeNull();
  expect(clock.timers()).toEqual([]);
});

test('ending a session ends its waits and no others', async () => {
  const { waiters } = open();
  const { result } = hold(waiters);
  const elsewhere = waiters.register('t', 'h', 8).until(atLeast(5), 25_000);
  waiters.end('s');
  expect(await standing(result)).toBeNull();
  expect(await standing(elsewhere)).toBe('waiting');
});

test('draining ends every wait, and later waits without a timer', async () => {
  const { clock, waiters } = open();
  const early = waiters.register('s', 'h', 8);
  const { result } = hold(waiters);
  await waiters.drain();
  const late = hold(waiters).result;
  expect([await standing(result), await standing(late)]).toEqual([null, null]);
  expect(await standing(early.until(atLeast(5), 25_000))).toBeNull();
  expect([waiters.isDraining(), clock.timers()]).toEqual([true, []]);
});

test('a wait that begins after the drain ends without a state, even one published before', async () => {
  const { waiters } = open();
  const waiter = waiters.register('s', 'h', 8);
  publish(waiters, 's', 7);
  await waiters.drain();
  expect(await standing(waiter.until(atLeast(5), 25_000))).toBeNull();
});

test('each iteration of the event loop checks 25 waits, in order', async () => {
  const { waiters } = open();
  const looked: number[] = [];
  const results = Array.from({ length: 70 }, (_, n) =>
    waiters.register('s', `h${n}`, 8).until((state) => looked.push(n) > 0 && state >= 5, 25_000),
  );
  publish(waiters, 's', 5);
  expect(looked).toHaveLength(25);
  await new Promise((resolve) => setImmediate(resolve));
  expect(looked).toHaveLength(50);
  expect(await Promise.all(results)).toEqual(Array.from({ length: 70 }, () => 5));
  expect(looked).toEqual(Array.from({ length: 70 }, (_, n) => n));
});

test('the limit of 25 in one iteration covers the waits of all sessions', async () => {
  const { waiters } = open();
  const looked: string[] = [];
  const results = Array.from({ length: 30 }, (_, n) =>
    waiters.register(`s${n}`, 'h', 30).until((state) => looked.push(`s${n}`) > 0 && state >= 5, 25_000),
  );
  for (let n = 0; n < 30; n += 1) publish(waiters, `s${n}`, 5);
  expect(looked).toHaveLength(25);
  expect(await Promise.all(results)).toEqual(Array.from({ length: 30 }, () => 5));
});

test('the limit of 25 in one iteration covers waits and other answers together', async () => {
  const { waiters } = open();
  const made: string[] = [];
  const looks = Array.from({ length: 20 }, (_, n) =>
    waiters.register('s', `h${n}`, 8).until((state) => made.push('wait') > 0 && state >= 5, 25_000),
  );
  const answers = Array.from({ length: 10 }, async () => {
    await waiters.nextSlot();
    made.push('answer');
  });
  publish(waiters, 's', 5);
  await Promise.resolve();
  expect(made).toHaveLength(25);
  await Promise.all([...looks, ...answers]);
  expect(made).toHaveLength(30);
});

test('a drain resolves when every wait has ended', async () => {
  const { waiters } = open();
  let ended = 0;
  const results = Array.from({ length: 60 }, async (_, n) => {
    await waiters.register('s', `h${n}`, 8).until(atLeast(5), 25_000);
    ended += 1;
  });
  await waiters.drain();
  expect(ended).toBe(60);
  await Promise.all(results);
});

test('a waiter that is checked after two publications sees the newer state', async () => {
  const { waiters } = open();
  const many = Array.from({ length: 26 }, (_, n) => hold(waiters, `h${n}`).result);
  publish(waiters, 's', 5);
  publish(waiters, 's', 6);
  const results = await Promise.all(many);
  expect([results[0], results[24], results[25]]).toEqual([5, 5, 6]);
});
