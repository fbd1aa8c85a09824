import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMemoryStorage, createParley, type Storage, verifyLog } from '@parley/core';
import { createPgliteStorage } from '@parley/storage-pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../test/scenarios/support/stores.ts';
import { databaseUrl } from '../../../storage-pg/test/new-database.ts';
import { pgliteSeed } from '../../../storage-pg/test/pglite/pglite-seed.ts';
import { readLogLines } from '../../src/server/api/log-stream.ts';
import type { Archive } from '../../src/server/retain/archive.ts';
import { createFolderArchive } from '../../src/server/retain/open-archive.ts';
import {
  checkArchive,
  dueSessions,
  type RetainingOwner,
  verifyExport,
  writeExport,
} from '../../src/server/retain/retention.ts';
import { linesOf } from '../../src/text/event-stream.ts';
import { DAYS, exportedFiles, openRetained, sha256 } from './retained.ts';

async function postgres(): Promise<Storage> {
  const store = await openDatabase(databaseUrl ?? '');
  const storage = await store.connect();
  return {
    ...storage,
    async close() {
      await storage.close();
      await store.remove();
    },
  };
}

const STORAGES = [
  ['memory', async () => createMemoryStorage()],
  ['PGlite', async () => createPgliteStorage({ seed: await pgliteSeed() })],
  ...(databaseUrl === null ? [] : [['PostgreSQL', postgres] as const]),
] as const;

async function inMemory() {
  const storage = createMemoryStorage();
  onTestFinished(() => storage.close());
  return openRetained(storage);
}

describe.each(STORAGES)('the retention on %s', (_name, open) => {
  let storage: Storage;
  // The tests share one storage, because opening a database takes longer than the tests. Each test has its own owner.
  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());

  test('exports a session with its checksums, verifies the export, and then erases the session', async () => {
    const world = await openRetained(storage);
    const { owner, files, read, folder } = world;
    const sessionId = await world.endedSession();
    const { head } = await owner.verifyLog(sessionId);
    world.afterDays(DAYS, 1);
    const swept = { session_id: sessionId, title: 'Refunds', ended_at: '2026-01-05T09:00:00.000Z', outcome: 'erased' };
    expect(await world.sweep()).toEqual([swept]);
    expect(world.counted).toEqual(['erased']);
    const { documents, log, sums } = exportedFiles(sessionId, head);
    expect(await files()).toEqual([documents, log, sums]);
    const text = await read(log);
    expect(await read(sums)).toBe(`${sha256(text)}  ${log}\n${sha256(await read(documents))}  ${documents}\n`);
    expect(await verifyLog(readLogLines(chunksOf(text)), head)).toMatchObject({ ok: true, events: 3, head });
    await expect(owner.view(sessionId)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
    expect(await world.storage.events(sessionId, 1, 9)).toEqual([]);

    const { events } = await owner.audit();
    expect(events.map(({ person, kind, session_id, body }) => ({ person, kind, session_id, body }))).toEqual([
      {
        person: { id: 'parley:retention', name: 'Retention' },
        kind: 'session.erased',
        session_id: null,
        body: {
          session_id: sessionId,
          title: 'Refunds',
          events: 3,
          head_hash: head.hash,
          exported_to: join(folder, log),
          checksum: sha256(text),
          documents_checksum: sha256(await read(documents)),
        },
      },
    ]);
    expect(await world.sweep()).toEqual([]);
  });

  test('erases a session after more than the days, not on the day itself, and no session that runs', async () => {
    const world = await openRetained(storage);
    const sessionId = await world.endedSession();
    const running = await world.owner.createSession({
      title: 'Running',
      objective: 'x',
      requirements: [{ requirement_id: 'r-1', text: 'x' }],
    });
    world.afterDays(DAYS);
    expect(await world.sweep()).toEqual([]);
    const due = () => all(dueSessions({ owners: [world.owner], days: DAYS, nowMs: world.clock.now() }));
    expect(await due()).toEqual([]);
    world.afterDays(0, 1);
    const session = { session_id: sessionId, title: 'Refunds', ended_at: '2026-01-05T09:00:00.000Z' };
    expect(await due()).toEqual([{ owner: world.owner, session }]);
    expect(await world.sweep()).toMatchObject([{ session_id: sessionId, outcome: 'erased' }]);
    world.afterDays(DAYS, 1);
    expect(await world.sweep()).toEqual([]);
    expect(await world.owner.verifyLog(running.session_id)).toMatchObject({ ok: true });
  });

  test('repeats the export after a crash before the erasure, with the same bytes, and records one erasure', async () => {
    const world = await openRetained(storage);
    const { owner, archive, read } = world;
    const sessionId = await world.endedSession();
    world.afterDays(DAYS, 1);
    const head = await writeExport(owner, archive, sessionId);
    const { log } = exportedFiles(sessionId, head);
    const first = await read(log);
    const exported = await verifyExport(archive, sessionId, head);
    // A crash at this point leaves the session and its export. The next sweep must export it again and erase it.
    expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true });
    expect(await world.sweep()).toMatchObject([{ outcome: 'erased' }]);
    expect(await read(log)).toBe(first);
    await expect(owner.retention.erase(sessionId, exported)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
    expect((await owner.audit({ kind: 'session.erased' })).events).toHaveLength(1);
  });

  test.each(['log', 'documents'] as const)(
    'keeps the verified export if a second sweep reads the %s while the first sweep erases the session',
    async (part) => {
      const world = await openRetained(storage);
      const { owner, ownerId, clock, folder, files, read } = world;
      const sessionId = await world.endedSession();
      const text = (await all(owner.exportLog(sessionId))).join('');
      const { head } = await owner.verifyLog(sessionId);
      world.afterDays(DAYS, 1);
      let readsLeft = part === 'log' ? 1 : 2;
      const first: unknown[] = [];
      const interrupted: Storage = {
        ...storage,
        async events(...range) {
          readsLeft -= 1;
          if (readsLeft === 0) first.push(...(await world.sweep()));
          return storage.events(...range);
        },
      };
      const second = (await createParley({ storage: interrupted, clock })).owner(ownerId);
      const writing = writeExport(second, createFolderArchive(folder), sessionId);
      await expect(writing).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
      expect(first).toMatchObject([{ session_id: sessionId, outcome: 'erased' }]);
      const { documents, log, sums } = exportedFiles(sessionId, head);
      expect(await files()).toEqual([documents, log, sums]);
      expect(await read(log)).toBe(text);
      expect(await read(sums)).toBe(`${sha256(text)}  ${log}\n${sha256(await read(documents))}  ${documents}\n`);
    },
  );

  test('erases no session with an event after the export', async () => {
    const world = await openRetained(storage);
    const { owner, archive } = world;
    const sessionId = await world.endedSession();
    const exported = await exportVerified(owner, archive, sessionId);
    await owner.setModeratorEntitlement({ entitled: false });
    expect(await owner.retention.erase(sessionId, exported)).toBe(false);
    expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true, events: 4 });
    expect((await owner.audit({ kind: 'session.erased' })).events).toEqual([]);
  });
});

test('the audit names an erasure that did not happen, and the next erasure', async () => {
  const world = await inMemory();
  const { storage, owner, ownerId, clock, archive } = world;
  const sessionId = await world.endedSession();
  const exported = await exportVerified(owner, archive, sessionId);
  const interrupted: Storage = {
    ...storage,
    async delete(...session) {
      await owner.setModeratorEntitlement({ entitled: false });
      return storage.delete(...session);
    },
  };
  const other = (await createParley({ storage: interrupted, clock })).owner(ownerId);
  expect(await other.retention.erase(sessionId, exported)).toBe(false);
  expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true, events: 4 });
  const erasures = async () => {
    const { events } = await owner.audit();
    return events
      .filter(({ kind }) => kind.endsWith('erased'))
      .map(({ kind, body, person }) => ({ kind, body, person: person?.name }));
  };
  const { title, session_id, head_hash } = { title: 'Refunds', session_id: sessionId, head_hash: exported.head.hash };
  expect(await erasures()).toEqual([
    { kind: 'session.not_erased', body: { session_id, title, head_hash }, person: 'Retention' },
    {
      kind: 'session.erased',
      body: expect.objectContaining({ session_id, events: 3, head_hash }),
      person: 'Retention',
    },
  ]);
  world.afterDays(DAYS, 1);
  expect(await world.sweep()).toMatchObject([{ session_id: sessionId, outcome: 'erased' }]);
  expect((await erasures()).map(({ kind }) => kind)).toEqual([
    'session.erased',
    'session.not_erased',
    'session.erased',
  ]);
});

test('the audit names one erasure if two sweeps erase the same session', async () => {
  const world = await inMemory();
  const { storage, owner, ownerId, clock, archive } = world;
  const sessionId = await world.endedSession();
  const exported = await exportVerified(owner, archive, sessionId);
  const erased: boolean[] = [];
  const interrupted: Storage = {
    ...storage,
    async delete(...session) {
      erased.push(await owner.retention.erase(sessionId, exported));
      return storage.delete(...session);
    },
  };
  const other = (await createParley({ storage: interrupted, clock })).owner(ownerId);
  expect(await other.retention.erase(sessionId, exported)).toBe(false);
  expect(erased).toEqual([true]);
  expect((await owner.audit()).events.map(({ kind }) => kind)).toEqual(['session.erased']);
});

describe('the archive', () => {
  test('takes the same file from two writers at once, each from its own part file', async () => {
    const { archive, files, read } = await inMemory();
    let resume = (): void => undefined;
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const slow = archive.write('a', () => chunksAround('first ', paused, 'writer'));
    await expect.poll(files).toHaveLength(1);
    await archive.write('a', () => chunksAround('second ', Promise.resolve(), 'writer'));
    expect(await read('a')).toBe('second writer');
    resume();
    await slow;
    expect(await read('a')).toBe('first writer');
    expect(await files()).toEqual(['a']);
  });
});

describe('a folder as archive', () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  test('loses at the next sweep the part files of writes that ended, and keeps all other files', async () => {
    const { folder, archive, files, sweep } = await inMemory();
    await archive.write('parley-a.jsonl', () => chunksAround('a', Promise.resolve(), 'b'));
    const part = '.parley-a.jsonl.0123456789abcdef.part';
    const names = [part, '.parley-b.jsonl.fedcba9876543210.part', '.other.0123456789abcdef.part', 'parley-b.jsonl'];
    for (const name of names) await writeFile(join(folder, name), '');
    for (const name of names.filter((one) => one !== part)) await utimes(join(folder, name), hoursAgo(2), hoursAgo(2));
    await sweep();
    expect(await files()).toEqual(['.other.0123456789abcdef.part', part, 'parley-a.jsonl', 'parley-b.jsonl']);
    await utimes(join(folder, part), hoursAgo(2), hoursAgo(2));
    await sweep();
    expect(await files()).toEqual(['.other.0123456789abcdef.part', 'parley-a.jsonl', 'parley-b.jsonl']);
  });

  test('rejects a write whose part file was removed', async () => {
    const { folder, archive, files } = await inMemory();
    async function* chunks() {
      yield 'a';
      await rm(join(folder, (await files())[0] ?? ''));
      yield 'b';
    }
    await expect(archive.write('a', chunks)).rejects.toThrow('ENOENT');
    expect(await files()).toEqual([]);
  });

  test('is checked without a change, and by a file that is written and read back', async () => {
    const { archive, files, read } = await inMemory();
    await archive.examine();
    expect(await files()).toEqual([]);
    await checkArchive(archive);
    expect(await files()).toEqual(['parley-check.txt']);
    expect(await read('parley-check.txt')).toBe('Parley can write and read files here.\n');
    await archive.examine();
  });
});

test('lines are read as they were written, however their bytes are cut', async () => {
  const text = '{"a":"ä€😀"}\n\nb\nlast';
  for (const length of [1, 2, 3, 5, 100]) {
    const bytes = Buffer.from(text);
    const parts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
      bytes.subarray(index * length, (index + 1) * length),
    );
    const chunks = (async function* () {
      yield* parts;
    })();
    expect(await all(linesOf(chunks))).toEqual(['{"a":"ä€😀"}', '', 'b', 'last']);
  }
});

describe('the retention', () => {
  test('exports the large texts beside the log', async () => {
    const world = await inMemory();
    const body = JSON.stringify({ title: 'A contract' });
    const sessionId = await world.endedSession();
    await world.addDocument(sessionId, body);
    const written = await writeExport(world.owner, world.archive, sessionId);
    expect(await world.read(exportedFiles(sessionId, written).documents)).toBe(
      `${JSON.stringify({ sha256: sha256(body), document: body })}\n`,
    );
    await expect(verifyExport(world.archive, sessionId, written)).resolves.toMatchObject({ head: { seq: 4 } });
  });

  test('finds out a store that drops the large texts and has checksums to match', async () => {
    const world = await inMemory();
    const sessionId = await world.endedSession();
    await world.addDocument(sessionId, JSON.stringify({ title: 'A contract' }));
    const written = await writeExport(world.owner, world.archive, sessionId);
    const names = exportedFiles(sessionId, written);
    await world.archive.write(names.documents, () => textAsChunks(''));
    const lines = (await world.read(names.sums)).split('\n');
    await world.archive.write(names.sums, () => textAsChunks(`${lines[0]}\n${sha256('')}  ${names.documents}\n`));
    await expect(verifyExport(world.archive, sessionId, written)).rejects.toThrow('its checksums differ');
  });

  test.each(['log', 'documents', 'sums'] as const)(
    'leaves a session if a byte of the %s changed between the write and the look',
    async (file) => {
      const world = await inMemory();
      const sessionId = await world.endedSession();
      world.afterDays(DAYS, 1);
      const { archive, folder } = world;
      const { [file]: name } = exportedFiles(sessionId, await world.owner.retention.head(sessionId));
      const damaging: Archive = {
        ...archive,
        async write(written, chunks) {
          const sum = await archive.write(written, chunks);
          if (written !== name) return sum;
          const bytes = await readFile(join(folder, name));
          await writeFile(join(folder, name), bytes.length > 0 ? bytes.fill(bytes.readUInt8(9) ^ 1, 9, 10) : 'x');
          return sum;
        },
      };
      expect(await world.sweep(damaging)).toMatchObject([{ session_id: sessionId, outcome: 'failed' }]);
      expect(world.counted).toEqual(['failed']);
      expect(world.warnings).toMatchObject([{ name: 'ExportDamaged' }]);
      expect(await world.owner.verifyLog(sessionId)).toMatchObject({ ok: true, events: 3 });
      expect(await world.sweep()).toMatchObject([{ outcome: 'erased' }]);
    },
  );

  test('leaves a session if the folder is a file, and erases the session once it is none', async () => {
    const world = await inMemory();
    const sessionId = await world.endedSession();
    world.afterDays(DAYS, 1);
    await writeFile(world.folder, '');
    expect(await world.sweep()).toMatchObject([{ session_id: sessionId, outcome: 'failed' }]);
    const message = `The folder ${world.folder} cannot be written (EEXIST). A part of the path is a file: rename the file, or change PARLEY_RETAIN_TO.`;
    expect(world.warnings).toMatchObject([{ name: 'ArchiveUnavailable', message }]);
    await expect(world.archive.examine()).rejects.toThrow('is a file: rename the file');
    expect(await world.owner.verifyLog(sessionId)).toMatchObject({ ok: true });
    await rm(world.folder);
    expect(await world.sweep()).toMatchObject([{ outcome: 'erased' }]);
  });

  test('leaves a session in which a hold stands', async () => {
    const world = await inMemory();
    const { session_id: sessionId } = await world.owner.createSession({
      title: 'Held',
      objective: 'x',
      requirements: [{ requirement_id: 'r-1', text: 'x' }],
    });
    const { head } = (await world.storage.fetch(sessionId, 0)) ?? {};
    const data = { hold_id: 'h_1', finding_id: 'f_1', reason: 'Wait.' };
    const event = JSON.stringify({
      session_id: sessionId,
      seq: 2,
      at: '2026-01-05T09:00:01.000Z',
      kind: 'hold.opened',
      v: 1,
      actor: 'moderator',
      data,
      prev_hash: head?.hash,
    });
    await world.storage.append({
      sessionId,
      expected: head ?? { seq: 0, hash: '' },
      events: [{ seq: 2, hash: sha256(event), body: event }],
      documents: [],
      listing: { title: 'T', status: 'DRAFT', phase: 'PLANNING', createdAt: '2026-01-05T09:00:00.000Z' },
    });
    world.clock.advance(2_000);
    await world.owner.end(sessionId, { end_reason: 'CANCELLED' });
    world.afterDays(DAYS, 1);
    expect(await world.sweep()).toMatchObject([{ session_id: sessionId, outcome: 'held' }]);
    expect(await world.files()).toEqual([]);
    expect(await world.owner.verifyLog(sessionId)).toMatchObject({ ok: true });
  });

  test('leaves a session whose log is broken, and erases the others', async () => {
    const world = await inMemory();
    const broken = await world.endedSession('Broken');
    const sound = await world.endedSession('Sound');
    const { storage } = world;
    const [first] = await storage.events(broken, 1, 1);
    if (first) Object.assign(first, { body: first.body.replace('Broken', 'Edited') });
    world.afterDays(DAYS, 1);
    const outcomes = (await world.sweep()).map(({ session_id, outcome }) => [session_id, outcome]);
    expect(outcomes.toSorted()).toEqual(
      [
        [broken, 'failed'],
        [sound, 'erased'],
      ].toSorted(),
    );
  });

  test('erases no session of another owner', async () => {
    const world = await inMemory();
    const other = world.parley.owner('other');
    const { session_id } = await other.createSession({
      title: 'Other',
      objective: 'x',
      requirements: [{ requirement_id: 'r-1', text: 'x' }],
    });
    await other.end(session_id, { end_reason: 'CANCELLED' });
    world.afterDays(DAYS, 1);
    expect(await world.sweep()).toEqual([]);
    expect(await other.verifyLog(session_id)).toMatchObject({ ok: true });
  });
});

async function exportVerified(owner: RetainingOwner, archive: Archive, sessionId: string) {
  return await verifyExport(archive, sessionId, await writeExport(owner, archive, sessionId));
}

async function* textAsChunks(text: string) {
  yield text;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* chunksAround(before: string, pause: Promise<void>, after: string): AsyncGenerator<string> {
  yield before;
  await pause;
  yield after;
}
