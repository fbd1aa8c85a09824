import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStorage, createParley, type Person } from '../../src/index.ts';
import { createTestClock } from '../../src/testing/index.ts';

const ADA: Person = { id: 'p_1', name: 'Ada', role: 'viewer' };

/** Two reads of others that take all turns until `release` is called. */
async function openBusy() {
  const [storage, clock] = [createMemoryStorage(), createTestClock()];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const list: typeof storage.list = async (...asked) => {
    await released;
    return await storage.list(...asked);
  };
  const parley = await createParley({ storage: { ...storage, list }, clock });
  onTestFinished(() => parley.close());
  const others = [parley.owner('a').listSessions(), parley.owner('b').listSessions()];
  let isPresent = true;
  const present = async () => (isPresent ? ADA : undefined);
  const ada = parley.owner('o', { person: ADA, present });
  const leave = (): void => {
    isPresent = false;
  };
  return { clock, release, others, ada, leave };
}

test.each([
  ['a list', ({ ada }: Awaited<ReturnType<typeof openBusy>>) => ada.listSessions()],
  ['a session', ({ ada }: Awaited<ReturnType<typeof openBusy>>) => ada.view('S'.repeat(22))],
])('a read of %s that waits for its turn is refused to a person who leaves meanwhile', async (_what, read) => {
  const busy = await openBusy();
  const waiting = read(busy);
  busy.leave();
  busy.clock.advance(5_000);
  busy.release();
  await expect(waiting).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await Promise.all(busy.others);
});

test('a read that waits for its turn is answered to a person who is still there', async () => {
  const { ada, clock, release } = await openBusy();
  const waiting = ada.listSessions();
  clock.advance(5_000);
  release();
  expect(await waiting).toEqual({ sessions: [], next_after: null });
});
