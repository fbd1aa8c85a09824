import { expect, test } from 'vitest';
import { createHeavyCalls } from '../../../src/kernel/engine/engine.ts';

/** Returns a function that starts a call, and a function that ends the call that has run longest. */
function openCalls() {
  const calls = createHeavyCalls({ ofHolder: 8, what: 'your calls that contain a contract' });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const start = (holder: string, name: string): Promise<string> =>
    calls.run(holder, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => void ends.push(resolve));
      return name;
    });
  const endNext = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, start, endNext };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('two calls run at a time, and the others run in the order of their arrival', async () => {
  const { begun, start, endNext } = openCalls();
  const all = ['a', 'b', 'c', 'd'].map((name) => start(name, name));
  await settle();
  expect(begun).toEqual(['a', 'b']);
  await endNext();
  expect(begun).toEqual(['a', 'b', 'c']);
  await endNext();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  await endNext();
  await endNext();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('the ninth call of one token is refused; calls of other tokens are not', async () => {
  const { start, endNext } = openCalls();
  const own = Array.from({ length: 8 }, (_, index) => start('hostile', `h${index}`));
  await expect(start('hostile', 'h8')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: '8 of your calls that contain a contract are still running, which is the limit.',
    details: { retry_after_seconds: 1 },
  });
  const other = start('honest', 'mine');
  await settle();
  for (let ended = 0; ended < 9; ended += 1) await endNext();
  expect(await Promise.all([...own, other])).toHaveLength(9);
  const again = start('hostile', 'h9');
  await settle();
  await endNext();
  expect(await again).toBe('h9');
});

test('holders take turns, and the calls of one holder run in the order of their arrival', async () => {
  const { begun, start, endNext } = openCalls();
  const all = ['h1', 'h2', 'h3', 'h4', 'h5'].map((name) => start('hostile', name));
  all.push(start('honest', 'mine'), start('other', 'theirs'));
  await settle();
  for (let ended = 0; ended < 7; ended += 1) await endNext();
  expect(begun).toEqual(['h1', 'h2', 'h3', 'mine', 'theirs', 'h4', 'h5']);
  await Promise.all(all);
});

test('after a failed call, the next call runs', async () => {
  const calls = createHeavyCalls({ ofHolder: 8, what: 'your calls that contain a contract' });
  const failed = [1, 2].map(() => calls.run('a', () => Promise.reject(new Error('broken'))));
  const next = calls.run('b', async () => 'next');
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await next).toBe('next');
});
