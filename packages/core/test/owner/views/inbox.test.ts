import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStorage, type MemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import { type Storage, StorageUnavailable } from '../../../src/kernel/storage/storage.ts';
import { sha256Hex } from '../../../src/kernel/text/hash.ts';
import type { Owner } from '../../../src/owner/owner.ts';
import { createParley } from '../../../src/parley.ts';

const DRAFT = { title: 'T', objective: 'O', requirements: [{ requirement_id: 'R1', text: 'x' }] };

/** Creates sessions as an earlier version of Parley did, without their places in the inbox. Returns their ids. */
async function createdEarlier(memory: MemoryStorage, count: number): Promise<string[]> {
  const { inbox: _inbox, ...storage } = memory.sibling();
  const earlier: Storage = {
    ...storage,
    create: ({ place: _place, ...session }, events, documents) => storage.create(session, events, documents),
  };
  const parley = await createParley({ storage: earlier });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await parley.owner('owner').createSession(DRAFT)).session_id);
  await parley.close();
  return ids.sort();
}

async function openOwner(storage: Storage): Promise<Owner> {
  const parley = await createParley({ storage });
  onTestFinished(() => parley.close());
  return parley.owner('owner');
}

async function searched(owner: Owner): Promise<string[]> {
  const ids: string[] = [];
  for await (const { sessionId } of owner.waitingSessions()) ids.push(sessionId);
  return ids.sort();
}

/** Asks for the first page of the inbox until the answer says `unread: 0`, at most ten times. */
async function asked(owner: Owner) {
  for (let questions = 1; ; questions += 1) {
    const { sessions, counts, unread } = await owner.inbox({ limit: 100 });
    if (unread === 0 || questions === 10)
      return { ids: sessions.map(({ session_id }) => session_id).sort(), parked: counts.parked, questions };
  }
}

test('sessions of an earlier version are in the inbox after one call for each 200 of them', async () => {
  const memory = createMemoryStorage();
  const ids = await createdEarlier(memory, 201);
  const owner = await openOwner(memory.sibling());
  expect(await owner.inbox({ limit: 1 })).toMatchObject({ unread: 1, counts: { parked: 200 } });
  expect(await owner.inbox({ limit: 1 })).toMatchObject({ unread: 0, counts: { parked: 201 } });
  expect(await searched(owner)).toEqual(ids);
});

test('sessions of an earlier version are in the inbox even if the storage refuses to store their places', async () => {
  const memory = createMemoryStorage();
  const ids = await createdEarlier(memory, 3);
  const { inbox, ...storage } = memory.sibling();
  const refuse = () => Promise.reject(new StorageUnavailable('The disk is full.'));
  const owner = await openOwner({
    ...storage,
    ...(inbox && { inbox: { ...inbox, note: refuse, noteBroken: refuse } }),
  });
  expect(await asked(owner)).toEqual({ ids, parked: 3, questions: 1 });
  expect(await searched(owner)).toEqual(ids);
});

test('sessions of an earlier version are in the inbox beside a session that this version cannot fold', async () => {
  const memory = createMemoryStorage();
  const [future, ...ids] = await createdEarlier(memory, 3);
  const storage = memory.sibling();
  const owner = await openOwner({
    ...storage,
    async fetch(sessionId, after, skipIfMoreThan) {
      const tail = await storage.fetch(sessionId, after, skipIfMoreThan);
      if (!tail || sessionId !== future) return tail;
      const events = tail.events.map(({ seq, body: stored }) => {
        const body = stored.replace('"kind":"', '"kind":"future.');
        return { seq, body, hash: sha256Hex(body) };
      });
      return { ...tail, events };
    },
  });
  expect(await owner.overview()).toMatchObject({
    sessions: expect.arrayContaining([
      expect.objectContaining({ fault: expect.objectContaining({ code: 'NEWER_RELEASE' }) }),
    ]),
  });
  expect(await asked(owner)).toEqual({ ids, parked: 2, questions: 2 });
  expect(await searched(owner)).toEqual(ids);
});

test.each(['', '0.1.a', '5.1.a', '1.-1.a', '1.1', '1.123456789012345.a', "1.1.a'b"])(
  'a page after %j is refused',
  async (after) => {
    const owner = await openOwner(createMemoryStorage());
    await expect(owner.inbox({ after })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  },
);
