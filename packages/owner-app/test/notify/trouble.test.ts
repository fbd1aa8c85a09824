import { createMemoryStorage, type Storage, StorageUnavailable } from '@parley/core';
import { openSession } from '@parley/core/testing';
import { describe, expect, test } from 'vitest';
import { answering } from './receiver.ts';
import { askOwner, FAILED, openAnother, openTold, SECRET } from './running-notifier.ts';

describe('a receiver that hangs', () => {
  test('delays no request, and at most four attempts for ten seconds each', async () => {
    const told = await openTold({ answer: () => undefined });
    for (let made = 0; made < 6; made += 1) await askOwner(await openAnother(told));
    await told.receiver.until(4);
    await askOwner(told);
    expect((await told.agentB.call('read_session_state', {})).round).toBe(1);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    const later = new AbortController();
    const marker = fetch(told.receiver.url, { signal: later.signal, headers: { 'webhook-id': 'marker' } });
    await told.receiver.until(5);
    expect(told.ids().indexOf('marker')).toBe(4);
    later.abort();
    await expect(marker).rejects.toThrow();
    told.clock.advance(10_000);
    await told.receiver.until(8);
    expect(new Set(told.ids()).size).toBe(8);
  });

  test('does not prevent the notifier from closing', async () => {
    const told = await openTold({ answer: () => undefined });
    await askOwner(told);
    await told.receiver.until(1);
    await told.closeNotifier();
    expect(await told.owner.dueNotices(told.sessionId)).toHaveLength(1);
  });
});

describe('a storage that fails', () => {
  /** A storage in memory. Appends fail while `failing.append` is true; fetches fail while `failing.fetch` is true. */
  async function openFailing() {
    const memory = createMemoryStorage();
    const failing = { append: false, fetch: false };
    const refuse = (name: keyof typeof failing): void => {
      if (failing[name]) throw new StorageUnavailable('It does not answer.');
    };
    const storage: Storage = {
      ...memory,
      async append(append) {
        refuse('append');
        return await memory.append(append);
      },
      async fetch(sessionId, after) {
        refuse('fetch');
        return await memory.fetch(sessionId, after);
      },
    };
    return { failing, session: await openSession({ storage }) };
  }

  test('while a delivery is recorded delays the record, and nothing is sent again', async () => {
    const { failing, session } = await openFailing();
    const told = await openTold({
      session,
      answer: (response) => {
        failing.append = true;
        response.end();
      },
    });
    await askOwner(told);
    await told.says(FAILED);
    failing.append = false;
    told.clock.advance(5_000);
    await told.allTold();
    expect(told.ids()).toEqual(['QUESTION:q_1:1']);
  });

  test('before an attempt delays the attempt', async () => {
    const { failing, session } = await openFailing();
    const told = await openTold({ session });
    session.owner.watchNotices(() => {
      failing.fetch = true;
    });
    await askOwner(told);
    await told.says(FAILED);
    failing.fetch = false;
    told.clock.advance(5_000);
    await told.receiver.until(1);
    expect(told.ids()).toEqual(['QUESTION:q_1:1']);
  });

  test('at the start delays the search of the sessions by a minute', async () => {
    const { failing, session } = await openFailing();
    await askOwner(session);
    failing.fetch = true;
    const told = await openTold({ session });
    await told.says('a session could not be searched for notices');
    failing.fetch = false;
    told.clock.advance(60_000);
    await told.timers(3);
    told.clock.advance(20_000);
    await told.receiver.until(1);
    expect(told.ids()).toEqual(['QUESTION:q_1:1']);
  });
});

describe('several processes', () => {
  /** Opens two processes on one storage. Each process serves the agents of one session. */
  async function openTwo() {
    const storage = createMemoryStorage();
    const one = await openSession({ storage });
    return { one, other: await openSession({ storage: storage.sibling() }) };
  }

  test('send a notice once, because each process sees the recorded delivery', async () => {
    const { one, other } = await openTwo();
    const here = await openTold({ session: one });
    const there = await openTold({ session: other });
    await askOwner(here);
    await here.allTold();
    there.clock.advance(60_000);
    await askOwner(there);
    await there.allTold();
    there.clock.advance(60_000);
    await askOwner(there, 'agentB');
    await there.allTold();
    expect(here.ids()).toEqual(['QUESTION:q_1:1']);
    expect(there.ids()).toEqual(['QUESTION:q_1:1', 'QUESTION:q_2:1']);
  });

  test('send the notice of a write immediately, even if the search of all sessions finds it first', async () => {
    const { other } = await openTwo();
    let announce = (): void => undefined;
    const searched = new Promise<void>((resolve) => {
      announce = resolve;
    });
    const { owner } = other;
    const there = await openTold({
      session: other,
      changes: {
        owner: {
          ...owner,
          watchNotices: (listener) => owner.watchNotices((id, read) => void searched.then(() => listener(id, read))),
        },
      },
    });
    await askOwner(there);
    there.clock.advance(60_000);
    await there.timers(3);
    expect(there.ids()).toEqual([]);
    announce();
    await there.receiver.until(1);
    expect(there.ids()).toEqual(['QUESTION:q_1:1']);
  });

  test('do not send a notice that another process has delivered during their delay', async () => {
    const { one, other } = await openTwo();
    const here = await openTold({ session: one, answer: answering(500) });
    const there = await openTold({ session: other });
    await askOwner(here);
    await here.says(FAILED);
    there.clock.advance(60_000);
    await there.timers(3);
    here.clock.advance(5_000);
    await here.allTold();
    there.clock.advance(20_000);
    await askOwner(there);
    await there.allTold();
    expect(here.ids()).toEqual(['QUESTION:q_1:1', 'QUESTION:q_1:1']);
    expect(there.ids()).toEqual(['QUESTION:q_1:1']);
  });

  test('send notices that another process could not deliver', async () => {
    const { one, other } = await openTwo();
    const there = await openTold({ session: other });
    await askOwner(one);
    there.clock.advance(60_000);
    await there.timers(3);
    there.clock.advance(19_999);
    expect(there.ids()).toEqual([]);
    there.clock.advance(1);
    await there.receiver.until(1);
    expect(there.ids()).toEqual([`${one.sessionId}:QUESTION:q_1:1`]);
  });
});

test('the log names no secret, no address and no title', async () => {
  const told = await openTold({ answer: answering(500, 410) });
  await askOwner(told);
  await told.says(FAILED);
  told.clock.advance(5_000);
  await told.says('answered 410');
  const text = told.log.join('');
  expect(text).toContain('QUESTION:q_1:1');
  for (const secret of [SECRET, SECRET.slice(6), '/hooks/parley', 'Orders and stock', 'Which port?'])
    expect(text).not.toContain(secret);
});
