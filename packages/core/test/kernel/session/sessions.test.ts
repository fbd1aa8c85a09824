import { describe, expect, test } from 'vitest';
import { ParleyError } from '../../../src/kernel/errors.ts';
import type { StoredEvent } from '../../../src/kernel/log/event.ts';
import { type CacheSizes, createSessions, DEFAULT_CACHE } from '../../../src/kernel/session/sessions.ts';
import { sha256Hex } from '../../../src/kernel/text/hash.ts';
import { noteChain, nth, rewritten, SESSION } from '../support/chain.ts';
import { appendOf, notes, numbered, replaceLog, storageWith } from '../support/notes.ts';
import { tapeStorage } from '../support/taped-storage.ts';

async function open(log: readonly StoredEvent[], sizes: Pick<CacheSizes, 'stateBytes' | 'eventBytes'> = DEFAULT_CACHE) {
  const memory = await storageWith(log);
  const tape = tapeStorage(memory);
  const sessions = createSessions(tape.storage, notes, sizes);
  const textsAfterLoad = async () => (await sessions.load(SESSION))?.texts;
  const textsOf = async (...seqs: number[]) =>
    (await sessions.read(SESSION, seqs)).map(({ data }) => (data as { text: string }).text);
  return { memory, tape, sessions, textsAfterLoad, textsOf };
}

describe('load', () => {
  test('reads the whole log once, then only new events', async () => {
    const log = numbered(5);
    const { memory, tape, textsAfterLoad } = await open(log.slice(0, 3));
    expect(await textsAfterLoad()).toEqual(['note 1', 'note 2', 'note 3']);
    expect(await textsAfterLoad()).toEqual(['note 1', 'note 2', 'note 3']);
    await memory.append(appendOf(log, 2));
    expect(await textsAfterLoad()).toEqual(['note 1', 'note 2', 'note 3', 'note 4', 'note 5']);
    expect(tape.taken()).toEqual(['fetch 0', 'fetch 3', 'fetch 3']);
  });

  test('reads logs of more than 500 events in pages', async () => {
    const { tape, sessions } = await open(numbered(1_001));
    expect((await sessions.load(SESSION))?.texts.length).toBe(1_001);
    expect(tape.taken()).toEqual(['fetch 0', 'fetch 500', 'fetch 1000']);
  });

  test('removes a deleted session', async () => {
    const { memory, sessions, textsAfterLoad } = await open(numbered(2));
    await textsAfterLoad();
    await memory.delete(SESSION);
    expect(await sessions.load(SESSION)).toBeNull();
    expect(sessions.peek(SESSION)).toBeUndefined();
  });

  test('of an unknown session is null', async () => {
    const { sessions } = await open(numbered(1));
    expect(await sessions.load('another0000000000000aZ')).toBeNull();
  });

  test('two concurrent loads agree, and an older answer never replaces a newer answer', async () => {
    const log = numbered(4);
    const { memory, tape, sessions } = await open(log.slice(0, 2));
    await sessions.load(SESSION);
    let answerLate = (): void => undefined;
    tape.nextFetch(async (real, ...args) => {
      const news = await real(...args);
      await new Promise<void>((resolve) => {
        answerLate = resolve;
      });
      return news;
    });
    const late = sessions.load(SESSION);
    await memory.append(appendOf(log, 2));
    await sessions.load(SESSION);
    answerLate();
    expect((await late)?.texts).toHaveLength(2);
    expect((await sessions.load(SESSION))?.texts).toHaveLength(4);
  });
});

describe('several loads of a session that is not in the cache', () => {
  test('fold it once, and the others then fetch newer events', async () => {
    const { tape, sessions } = await open(numbered(1_200));
    const states = await Promise.all([1, 2, 3].map(() => sessions.load(SESSION)));
    expect(states.map((state) => state?.texts.length)).toEqual([1_200, 1_200, 1_200]);
    expect(tape.taken()).toEqual(['fetch 0', 'fetch 500', 'fetch 1000', 'fetch 1200', 'fetch 1200']);
  });

  test('all fail if the storage fails', async () => {
    const { tape, sessions } = await open(numbered(3));
    tape.nextFetch(() => Promise.reject(new Error('No storage.')));
    const loads = [1, 2].map(() => sessions.load(SESSION));
    await expect(Promise.all(loads)).rejects.toThrow('No storage.');
    expect((await sessions.load(SESSION))?.texts).toHaveLength(3);
  });
});

describe('after a failover that lost the tail', () => {
  test.each([
    ['a shorter log', numbered(3)],
    ['a log as long', [...numbered(3), ...noteChain(['other 4', 'other 5'], SESSION, nth(numbered(3), -1))]],
    ['a longer log', [...numbered(3), ...noteChain(['other 4', 'other 5', 'other 6'], SESSION, nth(numbered(3), -1))]],
  ])('the cache is dropped for %s', async (_what, log) => {
    const { memory, sessions } = await open(numbered(5));
    await sessions.load(SESSION);
    await replaceLog(memory, log);
    const texts = log.map(({ body }) => JSON.parse(body).data.text);
    expect((await sessions.load(SESSION))?.texts).toEqual(texts);
    expect(sessions.peek(SESSION)?.texts).toEqual(texts);
  });

  test('bodies of the lost tail are not shown again', async () => {
    const { memory, sessions, textsOf } = await open(numbered(5));
    await sessions.load(SESSION);
    expect(await textsOf(5)).toEqual(['note 5']);
    await replaceLog(memory, [...numbered(4), ...noteChain(['other 5'], SESSION, nth(numbered(4), -1))]);
    await sessions.load(SESSION);
    expect(await textsOf(5)).toEqual(['other 5']);
  });

  test('bodies of the lost tail are not shown again although the state did not fit the cache', async () => {
    const { memory, sessions, textsOf } = await open(numbered(5), { stateBytes: 1, eventBytes: 1_000_000 });
    await sessions.load(SESSION);
    expect(await textsOf(5)).toEqual(['note 5']);
    await replaceLog(memory, [...numbered(4), ...noteChain(['other 5'], SESSION, nth(numbered(4), -1))]);
    await sessions.load(SESSION);
    expect(await textsOf(5)).toEqual(['other 5']);
  });

  test('a body that was requested before the failover and answered after it is not shown again', async () => {
    const { memory, tape, sessions, textsOf } = await open(numbered(5));
    await sessions.load(SESSION);
    const old = nth(numbered(5), 4);
    const { events } = tape.storage;
    let answer = (): void => undefined;
    Object.assign(tape.storage, {
      events: () => new Promise((resolve) => (answer = () => resolve([old]))),
    });
    const reading = textsOf(5);
    Object.assign(tape.storage, { events });
    await replaceLog(memory, [...numbered(4), ...noteChain(['other 5'], SESSION, nth(numbered(4), -1))]);
    await sessions.load(SESSION);
    answer();
    await reading;
    expect(await textsOf(5)).toEqual(['other 5']);
  });
});

describe('a log that is broken', () => {
  const log = numbered(4);
  test.each([
    [
      'an event that follows another',
      [nth(log, 0), nth(log, 1), { ...nth(noteChain(['x'], SESSION, nth(log, 0)), 0), seq: 3 }],
    ],
    ['a first event that follows something', [rewritten(nth(log, 0), '"prev_hash":"0', '"prev_hash":"1')]],
    ['an event that says another number', [nth(log, 0), rewritten(nth(log, 1), '"seq":2', '"seq":3')]],
    ['a body that is no JSON', [nth(log, 0), { seq: 2, hash: sha256Hex('{'), body: '{' }]],
  ])('by %s is not folded', async (_what, broken) => {
    const { sessions } = await open(broken);
    await expect(sessions.load(SESSION)).rejects.toThrow();
    expect(sessions.peek(SESSION)).toBeUndefined();
  });

  test('by missing events at its end is not folded', async () => {
    const { tape, sessions } = await open(log);
    for (let n = 0; n < 6; n += 1) {
      tape.nextFetch(async (real, ...args) => {
        const news = await real(...args);
        return news && { ...news, events: news.events.filter(({ seq }) => seq < 4), more: true };
      });
    }
    await expect(sessions.load(SESSION)).rejects.toThrow('broken at event 4.');
  });

  test('by missing all events is not folded', async () => {
    const { tape, sessions } = await open(log);
    for (let n = 0; n < 6; n += 1) tape.nextFetch(async () => ({ head: nth(log, 3), events: [], more: true }));
    await expect(sessions.load(SESSION)).rejects.toThrow('broken at event 1.');
  });

  test.each([
    ['a kind', '"note.added"', '"note.burnt"'],
    ['a newer version of a kind', '"v":1', '"v":2'],
    ['a kind that is named like a member of every object', '"note.added"', '"constructor"'],
  ])('is distinguished from a log with %s that this release does not know', async (_what, search, replacement) => {
    const { sessions } = await open([nth(log, 0), rewritten(nth(log, 1), search, replacement)]);
    const refusal = await sessions.load(SESSION).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ParleyError);
    expect(refusal).toMatchObject({ code: 'STORAGE_UNAVAILABLE', status: 503, retryAfterSeconds: 30 });
  });
});

test('a state that is not in the cache is not cached by an append', async () => {
  const log = numbered(12);
  const { sessions } = await open(log.slice(0, 11));
  const longer = createSessions(await storageWith(log), notes, DEFAULT_CACHE);
  const state = (await longer.load(SESSION)) ?? expect.fail('The session is stored.');
  expect(sessions.keep(nth(log, 10), state, [nth(log, 11)])).toBe(true);
  expect(sessions.peek(SESSION)).toBeUndefined();
});

test('a state larger than the cache is kept, and not folded again', async () => {
  const { sessions, tape } = await open(numbered(12), { stateBytes: 6_000, eventBytes: 1_000 });
  expect((await sessions.load(SESSION))?.texts).toHaveLength(12);
  expect(sessions.peek(SESSION)?.texts).toHaveLength(12);
  tape.taken();
  await sessions.load(SESSION);
  expect(tape.taken()).toEqual(['fetch 12']);
});

describe('read', () => {
  test('returns events in the requested order, and reads neighbouring events in one call', async () => {
    const { tape, textsOf } = await open(numbered(40));
    expect(await textsOf(5, 3, 12, 40)).toEqual(['note 5', 'note 3', 'note 12', 'note 40']);
    expect(tape.taken()).toEqual(['events 3-12', 'events 40-40']);
  });

  test('reads nothing twice', async () => {
    const { tape, sessions, textsOf } = await open(numbered(40));
    await sessions.load(SESSION);
    tape.taken();
    await textsOf(5, 6);
    await textsOf(6, 5);
    expect(tape.taken()).toEqual(['events 5-6']);
  });

  test('ends with the event with which the texts reach the size of the longest answer', async () => {
    const { sessions, tape } = await open(noteChain(Array.from({ length: 6 }, () => 'x'.repeat(400_000))));
    expect((await sessions.read(SESSION, [1, 2, 3, 4, 5, 6])).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(tape.taken()).toEqual(['events 1-6']);
    await sessions.load(SESSION);
    tape.taken();
    for (const _again of [1, 2])
      expect((await sessions.read(SESSION, [2, 3, 4, 5])).map(({ seq }) => seq)).toEqual([2, 3, 4]);
    expect(tape.taken()).toEqual(['events 2-5']);
  });

  test('leaves out missing events', async () => {
    const { textsOf } = await open(numbered(3));
    expect(await textsOf(2, 9, 0)).toEqual(['note 2']);
  });

  test('spans more than 500 events', async () => {
    const { textsOf } = await open(numbered(1_200));
    const seqs = Array.from({ length: 240 }, (_, n) => n * 5 + 1);
    expect(await textsOf(...seqs)).toEqual(seqs.map((seq) => `note ${seq}`));
  });
});

test.each([
  ['no state fits', { stateBytes: 1, eventBytes: 1 }],
  ['one state fits', { stateBytes: 12_000, eventBytes: 1_000 }],
  ['everything fits', DEFAULT_CACHE],
])('the answers are the same if %s', async (_what, sizes) => {
  const log = numbered(12);
  const { memory, sessions, textsAfterLoad, textsOf } = await open(log.slice(0, 3), sizes);
  for (let length = 4; length <= 12; length += 1) {
    await memory.append(appendOf(log.slice(0, length), 1));
    if (length % 2 === 0) await sessions.load(SESSION);
    const state = await sessions.load(SESSION);
    expect(state?.texts).toEqual(log.slice(0, length).map(({ seq }) => `note ${seq}`));
    if (state) sessions.keep(nth(log, length - 2), state, [nth(log, length - 1)]);
    expect(await textsOf(length, 1, 2)).toEqual([`note ${length}`, 'note 1', 'note 2']);
  }
  expect(await textsAfterLoad()).toHaveLength(12);
});
