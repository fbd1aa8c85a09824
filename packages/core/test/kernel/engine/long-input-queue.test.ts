import { expect, test } from 'vitest';
import { createLongInputQueue } from '../../../src/kernel/engine/engine.ts';

const LONG = 8_193;
const iteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a call with a short text starts immediately', () => {
  expect(createLongInputQueue().next('a', 8_192)).toBeUndefined();
});

test('one call with a long text starts in each iteration, and the tokens that wait take turns', async () => {
  const queue = createLongInputQueue();
  const begun: string[] = [];
  const start = async (holder: string, name: string): Promise<void> => {
    await queue.next(holder, LONG);
    begun.push(name);
  };
  const all = [start('hostile', 'h1'), start('hostile', 'h2'), start('hostile', 'h3'), start('honest', 'mine')];
  expect(begun).toEqual([]);
  await Promise.all(all);
  expect(begun).toEqual(['h1', 'h2', 'mine', 'h3']);
});

test('other work of the event loop comes in between', async () => {
  const queue = createLongInputQueue();
  const seen: string[] = [];
  const all = [1, 2, 3].map(async (number) => {
    await queue.next('a', LONG);
    seen.push(`long ${number}`);
  });
  for (let count = 0; count < 3; count += 1) {
    await iteration();
    seen.push('other');
  }
  await Promise.all(all);
  expect(seen).toEqual(['other', 'long 1', 'other', 'long 2', 'other', 'long 3']);
});
