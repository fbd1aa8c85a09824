import { expect, test } from 'vitest';
import { createMemoryStorage } from '../../src/kernel/storage/memory-storage.ts';
import { describeStorage } from '../../src/testing/index.ts';

describeStorage('memory storage', async () => {
  const storage = createMemoryStorage();
  return { storage, sibling: async () => storage.sibling(), reopen: async () => storage.sibling() };
});

test('countWindow uses the given clock', async () => {
  let time = 119_999;
  const storage = createMemoryStorage({ now: () => time });
  const count = async () => (await storage.countWindow(60_000, [{ bucket: 'a', n: 1 }]))[0]?.n;
  expect([await count(), await count()]).toEqual([1, 2]);
  time = 120_000;
  expect(await count()).toBe(1);
});
