import { expect, test } from 'vitest';
import { createTaskQueue } from '../../src/server/notify/outbox.ts';

/** Makes tasks that record their start and run until the test ends them. */
function tasks() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const task = (index: number) => () => {
    begun.push(index);
    return new Promise<void>((resolve) => {
      ends[index] = resolve;
    });
  };
  return { begun, task, end: (index: number) => ends[index]?.() };
}

test('runs a limited number of tasks at a time, in order', async () => {
  const { begun, task, end } = tasks();
  const queue = createTaskQueue(2);
  for (const index of [0, 1, 2, 3]) queue.run(task(index));
  expect(begun).toEqual([0, 1]);
  end(1);
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 2]);
});

test('runs tasks that can wait after all others, so that a receiver that hangs delays nobody else', async () => {
  const { begun, task, end } = tasks();
  const queue = createTaskQueue(1);
  for (const index of [0, 1, 2]) queue.run(task(index), true);
  queue.run(task(3));
  for (const index of [0, 3, 1]) {
    end(index);
    await new Promise(setImmediate);
  }
  expect(begun).toEqual([0, 3, 1, 2]);
});

test('when closed, drops tasks that have not begun and waits for running tasks', async () => {
  const { begun, task, end } = tasks();
  const queue = createTaskQueue(1);
  for (const index of [0, 1]) queue.run(task(index));
  let isClosed = false;
  const closed = queue.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  end(0);
  await closed;
  expect(begun).toEqual([0]);
});
