import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { readEvent, type StoredEvent } from '../../../src/kernel/log/event.ts';
import { guardObserver, type SafeObserver, type SnapshotOutcome } from '../../../src/kernel/observe/observer.ts';
import type { Domain } from '../../../src/kernel/operation/operation.ts';
import { createSessions, DEFAULT_CACHE } from '../../../src/kernel/session/sessions.ts';
import { createSnapshots } from '../../../src/kernel/session/snapshots.ts';
import type { Snapshot, Storage } from '../../../src/kernel/storage/storage.ts';
import { noteChain, nth, SESSION } from '../support/chain.ts';
import { appendOf, type Notes, notes, numbered, storageWith } from '../support/notes.ts';
import { tapeStorage } from '../support/taped-storage.ts';

interface ProcessOptions {
  readonly domain?: Domain<Notes>;
  readonly key?: string;
}

/** A process with empty caches on this storage. It saves a snapshot every 500 events. */
function startProcess(storage: Storage, { domain = notes, key = 'the key' }: ProcessOptions = {}) {
  const outcomes: SnapshotOutcome[] = [];
  const failures: unknown[] = [];
  const observer: SafeObserver = guardObserver({ snapshotEnded: (outcome) => outcomes.push(outcome) }, () => undefined);
  const tell = (error: unknown) => failures.push(error);
  const snapshots = createSnapshots(storage, domain, { key, every: 500, onFailure: tell, observer });
  const sessions = createSessions(storage, domain, { ...DEFAULT_CACHE, snapshots }, observer);
  const lengthAfterLoad = async () => (await sessions.load(SESSION))?.texts.length;
  return { sessions, snapshots, outcomes, failures, lengthAfterLoad };
}

async function open(log: readonly StoredEvent[]) {
  const memory = await storageWith(log);
  const tape = tapeStorage(memory);
  return { memory, tape, storage: tape.storage };
}

/** A storage that contains this log, and a snapshot at its last event. */
async function openSaved(log: readonly StoredEvent[]) {
  const opened = await open(log);
  const writer = startProcess(opened.memory);
  await writer.lengthAfterLoad();
  await expect.poll(() => writer.outcomes).toEqual(['saved']);
  return opened;
}

/** A storage that modifies snapshots when they are loaded. */
const alter = (storage: Storage, change: (snapshot: Snapshot) => Partial<Snapshot> | null): Storage => ({
  ...storage,
  async loadSnapshot(sessionId, foldVersion) {
    const stored = await storage.loadSnapshot?.(sessionId, foldVersion);
    const changed = stored && change({ ...stored, sessionId });
    return stored && changed ? { ...stored, ...changed } : null;
  },
});

test('a long session is loaded from its snapshot', async () => {
  const log = numbered(1_205);
  const { memory, tape, storage } = await openSaved(log.slice(0, 1_200));
  await memory.append(appendOf(log, 5));
  const { sessions, outcomes } = startProcess(storage);
  const state = await sessions.load(SESSION);
  expect(state).toEqual(await startProcess(alter(memory, () => null)).sessions.load(SESSION));
  expect(state?.texts.at(-1)).toBe('note 1205');
  expect(tape.taken()).toEqual(['fetch 0', 'fetch 1200']);
  expect(outcomes).toEqual(['used']);
});

test('the snapshot of a session with one page is not read', async () => {
  const { storage } = await openSaved(numbered(500));
  const loadSnapshot = vi.fn(storage.loadSnapshot);
  expect(await startProcess({ ...storage, loadSnapshot }).lengthAfterLoad()).toBe(500);
  expect(loadSnapshot).not.toHaveBeenCalled();
});

test('simultaneous requests read a snapshot once', async () => {
  const { storage } = await openSaved(numbered(1_000));
  const loadSnapshot = vi.fn(storage.loadSnapshot);
  const { sessions } = startProcess({ ...storage, loadSnapshot });
  const states = await Promise.all([sessions.load(SESSION), sessions.load(SESSION), sessions.load(SESSION)]);
  expect(states.map((state) => state?.texts.length)).toEqual([1_000, 1_000, 1_000]);
  expect(loadSnapshot).toHaveBeenCalledTimes(1);
});

test('a snapshot is stored after every 500 events of a process, and after a load of 500 events', async () => {
  const log = numbered(1_600);
  const { memory, storage } = await open(log.slice(0, 1));
  const saved: number[] = [];
  const saveSnapshot = async (snapshot: Snapshot) => {
    saved.push(snapshot.seq);
    return (await memory.saveSnapshot?.(snapshot)) ?? false;
  };
  const writer = startProcess({ ...storage, saveSnapshot });
  let state = await writer.sessions.load(SESSION);
  for (let length = 2; length <= 1_100 && state; length += 1) {
    const event = nth(log, length - 1);
    await memory.append(appendOf(log.slice(0, length), 1));
    const before = state.head;
    state = notes.evolve(state, readEvent(event));
    writer.sessions.keep(before, state, [event]);
    await expect.poll(() => saved).toHaveLength(Math.floor(length / 500));
  }
  expect(saved).toEqual([500, 1_000]);
  await memory.append(appendOf(log, 500));
  await writer.lengthAfterLoad();
  await expect.poll(() => saved).toEqual([500, 1_000, 1_600]);
});

test('a process that begins from a snapshot stores the next snapshot 500 events later', async () => {
  const log = numbered(1_700);
  const { memory, storage } = await openSaved(log.slice(0, 1_200));
  const { outcomes, lengthAfterLoad } = startProcess(storage);
  await memory.append(appendOf(log.slice(0, 1_699), 499));
  await lengthAfterLoad();
  await memory.append(appendOf(log, 1));
  await lengthAfterLoad();
  await expect.poll(() => outcomes).toEqual(['used', 'saved']);
  expect(await memory.loadSnapshot?.(SESSION, 1)).toMatchObject({ seq: 1_700 });
});

test('a snapshot of a log that a failover removed is not used', async () => {
  const log = numbered(1_200);
  const { storage } = await openSaved(log);
  const other = [...log.slice(0, 1_100), ...noteChain(['other'], SESSION, nth(log, 1_099))];
  for (const taken of [
    log.slice(0, 1_100),
    other,
    [...other, ...noteChain(Array(150).fill('x'), SESSION, nth(other, -1))],
  ]) {
    const { memory } = await open(taken);
    const { outcomes, lengthAfterLoad } = startProcess({ ...memory, loadSnapshot: storage.loadSnapshot ?? vi.fn() });
    expect(await lengthAfterLoad()).toBe(taken.length);
    await expect.poll(() => outcomes).toEqual(['lost', 'saved']);
  }
});

test('a snapshot of another fold version is not read', async () => {
  const { storage } = await openSaved(numbered(1_000));
  const domain = { ...notes, foldVersion: 2, empty: (id: string) => ({ ...notes.empty(id), texts: ['another fold'] }) };
  const { outcomes, lengthAfterLoad } = startProcess(storage, { domain });
  expect(await lengthAfterLoad()).toBe(1_001);
  await expect.poll(() => outcomes).toEqual(['saved']);
  expect(await startProcess(storage).lengthAfterLoad()).toBe(1_000);
});

test('snapshots of fold versions 1 and 2 are not used, and the log is folded again', async () => {
  const { memory, storage } = await openSaved(numbered(600));
  const { body, seq, hash } = (await memory.loadSnapshot?.(SESSION, 1)) ?? { body: '', seq: 0, hash: '' };
  await memory.saveSnapshot?.({ sessionId: SESSION, foldVersion: 2, seq, hash, body });
  const asked: number[] = [];
  const loadSnapshot = async (sessionId: string, foldVersion: number) => {
    asked.push(foldVersion);
    return (await memory.loadSnapshot?.(sessionId, foldVersion)) ?? null;
  };
  const domain = { ...notes, foldVersion: 3 };
  const { outcomes, failures, lengthAfterLoad } = startProcess({ ...storage, loadSnapshot }, { domain });
  expect(await lengthAfterLoad()).toBe(600);
  await vi.waitFor(() => expect(outcomes).toEqual(['saved']));
  expect([asked, failures]).toEqual([[3], []]);
});

test('a snapshot with a text of another form is reported, and the log is folded instead', async () => {
  const { memory, storage } = await open(numbered(600));
  const { seq, hash } = { seq: 600, hash: nth(numbered(600), 599).hash };
  const text = '4000\n{"shapes":[["sessionId"]],"members":{"sessionId":"s"}}';
  const signature = createHmac('sha256', 'the key')
    .update(`snapshot 1 ${seq} ${hash} ${SESSION}\n${text}`)
    .digest('hex');
  await memory.saveSnapshot?.({ sessionId: SESSION, foldVersion: 1, seq, hash, body: `${signature}${text}` });
  const { outcomes, failures, lengthAfterLoad } = startProcess(storage);
  expect(await lengthAfterLoad()).toBe(600);
  expect(outcomes[0]).toBe('unreadable');
  expect(failures).toEqual([new TypeError('The text does not encode a state.')]);
});

test.each<[string, (snapshot: Snapshot) => Partial<Snapshot>]>([
  ['is cut', ({ body }) => ({ body: body.slice(0, -1) })],
  ['is empty', () => ({ body: '' })],
  ['is no JSON', () => ({ body: '{'.repeat(200) })],
  ['has another text', ({ body }) => ({ body: body.replace('note 7"', 'note 8"') })],
  ['has another weight', ({ body }) => ({ body: body.replace('\n', '0\n') })],
  ['names another event', ({ seq }) => ({ seq: seq - 1 })],
  ['names another hash', () => ({ hash: 'f'.repeat(64) })],
])('a snapshot that %s is reported, and the log is folded instead', async (_what, change) => {
  const { storage } = await openSaved(numbered(600));
  const { outcomes, failures, lengthAfterLoad } = startProcess(alter(storage, change));
  expect(await lengthAfterLoad()).toBe(600);
  expect(outcomes[0]).toBe('unreadable');
  expect(String(failures[0])).toContain('was modified in the database: its signature does not match');
});

test('a snapshot that another installation wrote is not used', async () => {
  const { storage } = await openSaved(numbered(600));
  const { outcomes, lengthAfterLoad } = startProcess(storage, { key: 'another key' });
  expect(await lengthAfterLoad()).toBe(600);
  expect(outcomes[0]).toBe('unreadable');
});

test('a snapshot of another session is not used', async () => {
  const { storage } = await openSaved(numbered(600));
  const { outcomes, failures, snapshots } = startProcess({
    ...storage,
    loadSnapshot: async (_id, version) => (await storage.loadSnapshot?.(SESSION, version)) ?? null,
  });
  expect(await snapshots?.load('another0000000000000aZ')).toBeNull();
  expect(outcomes).toEqual(['unreadable']);
  expect(failures).toHaveLength(1);
});

test('a storage that fails to read or write a snapshot fails no request', async () => {
  const { storage } = await open(numbered(600));
  const away = async () => Promise.reject(new Error('away'));
  const { outcomes, failures, lengthAfterLoad } = startProcess({ ...storage, loadSnapshot: away, saveSnapshot: away });
  expect(await lengthAfterLoad()).toBe(600);
  await expect.poll(() => outcomes).toEqual(['unreadable', 'failed']);
  expect(failures).toEqual([new Error('away'), new Error('away')]);
});

test('a state that cannot be serialised is not stored', async () => {
  const { storage } = await open(numbered(600));
  const domain = { ...notes, empty: (id: string) => ({ ...notes.empty(id), when: new Date(0) }) };
  const { outcomes, failures, lengthAfterLoad } = startProcess(storage, { domain });
  expect(await lengthAfterLoad()).toBe(600);
  await expect.poll(() => outcomes).toEqual(['failed']);
  expect(failures).toEqual([new TypeError('A state can contain only plain objects.')]);
});

test('snapshots are stored one at a time, only the newest of each session, and requests do not wait', async () => {
  const { storage } = await open(numbered(600));
  const saving: Snapshot[] = [];
  let resolve: (isKept: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  const saveSnapshot = (snapshot: Snapshot) => {
    saving.push(snapshot);
    return promise;
  };
  const { sessions, snapshots } = startProcess({ ...storage, saveSnapshot });
  const state = await sessions.load(SESSION);
  if (!state || !snapshots) throw new Error('There is a state.');
  await expect.poll(() => saving).toHaveLength(1);
  for (const seq of [601, 602]) snapshots.schedule({ state: { ...state, head: { seq, hash: 'h' } }, bytes: 1 });
  snapshots.schedule({ state: { ...state, sessionId: 'another' }, bytes: 1 });
  expect(saving).toHaveLength(1);
  resolve(true);
  await expect.poll(() => saving.map(({ seq }) => seq)).toEqual([600, 602, 600]);
  await snapshots.close();
  snapshots.schedule({ state, bytes: 1 });
  await new Promise((turn) => setImmediate(() => setImmediate(turn)));
  expect(saving).toHaveLength(3);
});

test('a storage without snapshots works', async () => {
  const { storage } = await open(numbered(600));
  const { saveSnapshot: _save, loadSnapshot: _load, ...without } = storage;
  expect(startProcess(without).snapshots).toBeUndefined();
  expect(await startProcess(without).lengthAfterLoad()).toBe(600);
});
