import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStorage, createParley } from '../../../src/index.ts';

/** Opens a service, and a list of the owners in the order in which the storage was asked for their events. */
async function openOwners() {
  const storage = createMemoryStorage();
  const parley = await createParley({ storage });
  onTestFinished(() => parley.close());
  const asked: (string | undefined)[] = [];
  const { ownerEvents } = storage;
  storage.ownerEvents = (owners, range) => {
    asked.push(owners[0]);
    return ownerEvents(owners, range);
  };
  return { parley, asked };
}

const exported = async (lines: AsyncIterable<string>): Promise<number> => {
  let count = 0;
  for await (const _line of lines) count += 1;
  return count;
};

test('many reads of one owner leave another owner the next turn but one', async () => {
  const { parley, asked } = await openOwners();
  const [busy, other] = [parley.owner('busy'), parley.owner('other')];
  await Promise.all([...Array.from({ length: 10 }, () => busy.audit()), other.audit()]);
  expect(asked).toEqual(['busy', 'busy', 'busy', 'other', ...Array.from({ length: 7 }, () => 'busy')]);
});

test('exports take a turn for each page', async () => {
  const { parley, asked } = await openOwners();
  const busy = Array.from({ length: 10 }, () => exported(parley.owner('busy').exportAudit()));
  await Promise.all([...busy, exported(parley.owner('other').exportAudit())]);
  expect(asked.indexOf('other')).toBe(3);
});

test('forty connections, which Node accepts one by one, are accepted between two reads', async () => {
  const { parley, asked } = await openOwners();
  let iterations = 0;
  let isOver = false;
  const count = (): void => {
    iterations += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const owner = parley.owner('busy');
  for (let read = 0; read < 3; read += 1) {
    const before = iterations;
    await owner.audit();
    expect(iterations - before).toBeGreaterThanOrEqual(40);
  }
  isOver = true;
  expect(asked).toHaveLength(3);
});
