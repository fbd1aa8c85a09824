import { describe, expect, test } from 'vitest';
import { createMemoryStorage } from '../../src/kernel/storage/memory-storage.ts';
import type { Storage } from '../../src/kernel/storage/storage.ts';
import type { Owner } from '../../src/owner/owner.ts';
import { createParley } from '../../src/parley.ts';
import { openSession } from '../../src/testing/index.ts';
import { SAMPLE_OWNER, SAMPLE_SESSION } from '../../src/testing/opening-events.ts';

const HOUR_MS = 3_600_000;
const BODY = { rounds: 1 };

const keptLogs = (storage: ReturnType<typeof createMemoryStorage>) => storage.list('parley:keyed', { limit: 200 });

async function opened() {
  const storage = createMemoryStorage();
  const session = await openSession({ storage });
  let runs = 0;
  const answer = (key: string) =>
    session.owner.answerOnce({ keys: [key], route: 'POST /extend', body: BODY }, async () => ({ run: ++runs }));
  return { ...session, storage, answer };
}

describe('the answer of a keyed write', () => {
  test('is kept for a day', async () => {
    const { clock, answer } = await opened();
    expect(await answer('k')).toEqual({ run: 1 });
    clock.advance(24 * HOUR_MS - 1);
    expect(await answer('k')).toEqual({ run: 1 });
    clock.advance(1);
    expect(await answer('k')).toEqual({ run: 2 });
  });

  test('is deleted after a day, when another key is used', async () => {
    const { clock, storage, answer } = await opened();
    for (const key of ['one', 'two', 'three']) await answer(key);
    expect(await keptLogs(storage)).toHaveLength(3);
    clock.advance(24 * HOUR_MS);
    await answer('four');
    await expect.poll(() => keptLogs(storage)).toHaveLength(1);
  });

  test('is no session that an owner reaches', async () => {
    const { owner, storage, answer } = await opened();
    await answer('k');
    const [log] = await keptLogs(storage);
    await expect(owner.view(log?.sessionId ?? '')).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
    expect((await owner.listSessions()).sessions).toHaveLength(1);
  });
});

type Write = (port: Owner, sessionId: string) => Promise<object>;

const WRITES: readonly [string, Write][] = [
  ['more rounds', (port, id) => port.call('extendRounds', id, BODY)],
  ['an invitation', (port, id) => port.call('invite', id, { role: 'moderator' })],
  ['a question', (port, id) => port.call('ask', id, { targets: ['agent_a'], text: 'Which port?' })],
  ['a session', (port) => port.createSession(SAMPLE_SESSION)],
];

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Two processes on one storage. The first stops within the write of a session, before or behind the storage. */
async function stopped(write: Write, where: 'before' | 'behind') {
  const storage = createMemoryStorage();
  const { sessionId, clock, owner: second } = await openSession({ storage });
  const [gate, reached] = [deferred(), deferred()];
  const stop = async <T>(id: string, store: () => Promise<T>): Promise<T> => {
    if (id.startsWith('keyed-')) return await store();
    const behind = where === 'behind' ? { stored: await store() } : undefined;
    reached.resolve();
    await gate.promise;
    return behind ? behind.stored : await store();
  };
  const stopping: Storage = {
    ...storage,
    append: (append) => stop(append.sessionId, () => storage.append(append)),
    create: (session, ...rest) => stop(session.sessionId, () => storage.create(session, ...rest)),
  };
  const first = (await createParley({ storage: stopping, clock })).owner(SAMPLE_OWNER);
  const send = (port: Owner) =>
    port.answerOnce({ keys: ['k'], route: 'POST /it', body: BODY }, (keyed) => write(keyed, sessionId));
  const sent = send(first).catch((error: unknown) => error);
  await reached.promise;
  const stored = async () => {
    const heads = (await storage.list(SAMPLE_OWNER, { limit: 200 })).map(({ seq }) => seq);
    return { sessions: heads.length, events: heads.reduce((sum, seq) => sum + seq) };
  };
  return { clock, storage, sent, goOn: gate.resolve, stored, again: () => send(second) };
}

describe('a keyed write whose process stops', () => {
  test.each(WRITES)('behind the storage is answered at once and made once: %s', async (_what, write) => {
    const { sent, goOn, stored, again } = await stopped(write, 'behind');
    const before = await stored();
    const answer = await again();
    expect(await again()).toEqual(answer);
    goOn();
    expect(await sent).toEqual(answer);
    expect(await stored()).toEqual(before);
  });

  test.each(WRITES)('before the storage is made by a call 20 seconds later, and once: %s', async (_what, write) => {
    const { clock, sent, goOn, stored, again } = await stopped(write, 'before');
    await expect(again()).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', retryAfterSeconds: 1 });
    clock.advance(20_000);
    const answer = await again();
    const after = await stored();
    goOn();
    let isOver = false;
    void sent.then(() => {
      isOver = true;
    });
    await expect
      .poll(() => {
        clock.advance(100);
        return isOver;
      })
      .toBe(true);
    expect(await sent).toBeInstanceOf(Error);
    expect(await stored()).toEqual(after);
    expect(await again()).toEqual(answer);
  });
});
