import { expect, test } from 'vitest';
import { createSessionQueue } from '../../../src/kernel/session/sessions.ts';

/** A task that logs its start and its end. It runs until the test ends it. */
function heldTask(name: string, log: string[]) {
  let end = (_error?: Error): void => undefined;
  const task = (): Promise<string> => {
    log.push(`${name} begins`);
    return new Promise((resolve, reject) => {
      end = (error) => {
        log.push(`${name} ends`);
        if (error) reject(error);
        else resolve(name);
      };
    });
  };
  return { task, end: (error?: Error) => end(error) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('tasks of one session run one after another, in the order given', async () => {
  const enqueue = createSessionQueue();
  const log: string[] = [];
  const tasks = ['1', '2', '3'].map((name) => heldTask(name, log));
  const results = tasks.map(({ task }) => enqueue('s', task));
  for (const { end } of tasks) {
    await settled();
    end();
  }
  expect(await Promise.all(results)).toEqual(['1', '2', '3']);
  expect(log).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
});

test('tasks of different sessions run concurrently', async () => {
  const enqueue = createSessionQueue();
  const log: string[] = [];
  const [a, b] = [heldTask('a', log), heldTask('b', log)];
  const results = [enqueue('s', a.task), enqueue('t', b.task)];
  expect(log).toEqual(['a begins', 'b begins']);
  b.end();
  a.end();
  expect(await Promise.all(results)).toEqual(['a', 'b']);
});

test('a failure reaches its own caller and does not stop the calls behind it', async () => {
  const enqueue = createSessionQueue();
  const log: string[] = [];
  const [first, second] = [heldTask('first', log), heldTask('second', log)];
  const results = Promise.allSettled([enqueue('s', first.task), enqueue('s', second.task)]);
  first.end(new Error('broken'));
  await settled();
  second.end();
  expect(await results).toEqual([
    { status: 'rejected', reason: new Error('broken') },
    { status: 'fulfilled', value: 'second' },
  ]);
});

test('a task that arrives while another task ends waits for it', async () => {
  const enqueue = createSessionQueue();
  const log: string[] = [];
  const [first, second, third] = ['1', '2', '3'].map((name) => heldTask(name, log));
  const one = enqueue('s', first?.task ?? (async () => ''));
  const two = enqueue('s', second?.task ?? (async () => ''));
  first?.end();
  await one;
  const three = enqueue('s', third?.task ?? (async () => ''));
  await settled();
  expect(log).toEqual(['1 begins', '1 ends', '2 begins']);
  second?.end();
  await settled();
  third?.end();
  expect(await Promise.all([two, three])).toEqual(['2', '3']);
});
