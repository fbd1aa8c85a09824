import { randomBytes } from 'node:crypto';
import {
  assertStorableAppend,
  assertStorableSession,
  assertStorableSnapshot,
  assertStorableText,
  type OwnerEventsPage,
  type Storage,
  StorageUnavailable,
  type StoredCall,
  type StoredInbox,
} from '@parley/core';
import type { BatchSettings, GroupedCall, GroupListener } from './batching/batcher.ts';
import { openAppendBatcher, openCountBatcher, openFetchBatcher } from './batching/batchers.ts';
import { type Database, read, write } from './database/database.ts';
import { StatementRefused, toPortFailure } from './database/failures.ts';
import type { Tables } from './database/tables.ts';
import type { Hints } from './hints/hints.ts';
import { readDocument, readEvents, readOwnerEvents, readSnapshot } from './sql/events.ts';
import { countInbox, noteBroken, pageOfInbox, unplacedInInbox } from './sql/inbox.ts';
import { deleteSession, findSession, listSessions, loadCalls, readUsage } from './sql/sessions.ts';
import type { SessionStatements } from './sql/statements.ts';

interface Checked {
  readonly database: Database;
  /** Returns the reason why the engine refuses writes now. */
  readonly refuseWrites?: (() => string | undefined) | undefined;
}

/** A commit that takes longer than this many milliseconds counts as stuck. */
const STUCK_MS = 5_000;
/**
 * Milliseconds after a stuck commit in which no other commit is tried. PostgreSQL keeps the connection of a commit that
 * waits for a standby until the standby answers, so each attempt could take one more connection.
 */
const REST_MS = 10_000;

/**
 * Returns the function that checks whether the database answers and commits. A database can answer reads although no
 * write commits: it is read-only, or a synchronous standby is missing.
 */
function openHealth({ database, refuseWrites }: Checked): () => Promise<void> {
  let underway: Promise<void> | undefined;
  let restsUntil = 0;

  async function commit(): Promise<void> {
    const began = performance.now();
    try {
      await proveWritable(database);
    } finally {
      const now = performance.now();
      if (now - began > STUCK_MS) restsUntil = now + REST_MS;
      underway = undefined;
    }
  }

  return async () => {
    await read(database, { text: 'select 1', values: [] });
    const refusal = refuseWrites?.();
    if (refusal !== undefined) throw new StorageUnavailable(refusal);
    if (performance.now() < restsUntil)
      throw new StorageUnavailable('The database answers, but its last commit took too long.');
    underway ??= commit();
    await underway;
  };
}

/**
 * SQL that stores the time in a row of its own. No session has an empty id. The table of rate windows would prove
 * nothing, because it is unlogged, and its commits do not wait for a standby.
 */
const text = ({ presence }: Tables): string => `
insert into ${presence} (session_id, role, at_ms, is_waiting) values ($1, 'health', $2, false)
on conflict (session_id, role) do update set at_ms = excluded.at_ms`;

/** Resolves when a write has been committed. */
async function proveWritable(database: Database): Promise<void> {
  await write(database, { text: text(database.tables), values: ['', Date.now()] });
}

/** Functions that run calls of the storage, and convert their failures to errors of the storage port. */
interface Calls {
  reading<T>(texts: readonly string[], work: () => Promise<T>): Promise<T>;
  writing<T>(work: () => Promise<T>): Promise<T>;
}

/** Reads and stores the places of sessions in the inboxes of their owners. */
const openInbox = (database: Database, statements: SessionStatements, { reading, writing }: Calls): StoredInbox => ({
  count: (ownerId, dueAt) => reading([ownerId], () => countInbox(database, ownerId, dueAt)),
  page: (ownerId, page) => reading([ownerId, page.after?.sessionId ?? ''], () => pageOfInbox(database, ownerId, page)),
  unplaced: (ownerId, limit) => reading([ownerId], () => unplacedInInbox(database, ownerId, limit)),
  note: (notes) =>
    writing(async () => {
      for (const { sessionId, head } of notes) {
        assertStorableText('a session id', sessionId);
        assertStorableText('an event hash', head.hash);
      }
      if (notes.length > 0) await statements.noteInbox(database, notes);
    }),
  noteBroken: (sessionId) =>
    writing(async () => {
      assertStorableText('a session id', sessionId);
      await noteBroken(database, sessionId);
    }),
});

/**
 * Reads the secret of the installation, and creates it on first use. If several processes create a secret at the same
 * time, all of them get the secret that was stored first.
 */
export async function readSecret(database: Database): Promise<string> {
  const { meta } = database.tables;
  const made = `insert into ${meta} (key, value) values ('secret', $1) on conflict (key) do nothing`;
  const find = { text: `select value from ${meta} where key = 'secret'`, values: [] };
  const [known] = await read<{ value: string }>(database, find);
  if (known !== undefined) return known.value;
  await write(database, { text: made, values: [randomBytes(32).toString('hex')] });
  const [kept] = await read<{ value: string }>(database, find);
  if (kept === undefined) throw new Error('the installation secret could not be stored');
  return kept.value;
}

/** The parts of a storage that differ between PostgreSQL and PGlite. */
interface StorageParts {
  readonly database: Database;
  readonly statements: SessionStatements;
  readonly batching: Pick<BatchSettings, 'maxInFlight' | 'maxBatchSize'>;
  readonly onGroup?: GroupListener | undefined;
  readonly hints: Hints;
  /**
   * Returns the reason why the engine refuses writes now, or undefined if it accepts writes. Absent if the engine never
   * refuses writes.
   */
  readonly refuseWrites?: () => string | undefined;
  /** Closes the engine. Called once, when no call is in progress. */
  close(): Promise<void>;
}

/** Creates the storage on an engine whose tables exist already. */
export function assembleStorage(parts: StorageParts): Storage {
  const { database, statements, batching, onGroup, hints, refuseWrites, close } = parts;
  const { reading, writing, end } = openCalls(refuseWrites);
  const settingsFor = (call: GroupedCall): BatchSettings => ({
    ...batching,
    onGroup: onGroup && ((size) => onGroup(call, size)),
  });
  const append = openAppendBatcher(database, statements, settingsFor('append'));
  const fetch = openFetchBatcher(database, statements, settingsFor('fetch'));
  const count = openCountBatcher(database, { ...settingsFor('count'), maxInFlight: 1 });
  const checkHealth = openHealth(parts);
  let secret: string | undefined;
  let closed: Promise<void> | undefined;

  return {
    create: (session, events, documents) =>
      writing(async () => {
        assertStorableSession(session, events, documents);
        await statements.create(database, { session, events, documents }).catch(explainExisting);
      }),
    append: (request) =>
      writing(async () => {
        assertStorableAppend(request);
        return append(request);
      }),
    fetch: (sessionId, after, skipIfMoreThan) =>
      reading([sessionId], () => fetch({ sessionId, after, skipIfMoreThan })),
    events: (sessionId, from, to, maxBytes) =>
      reading([sessionId], () => readEvents(database, { sessionId, from, to, maxBytes })),
    document: (sessionId, sha256) => reading([sessionId, sha256], () => readDocument(database, sessionId, sha256)),
    find: (ownerId, sessionId) => reading([ownerId, sessionId], () => findSession(database, ownerId, sessionId)),
    list: (ownerId, page) => reading([ownerId, page.after ?? ''], () => listSessions(database, ownerId, page)),
    ownerEvents: (...asked) => reading(textsIn(...asked), () => readOwnerEvents(database, ...asked)),
    usage: (ownerId) => reading([ownerId], () => readUsage(database, ownerId)),
    inbox: openInbox(database, statements, { reading, writing }),
    saveSnapshot: (snapshot) =>
      writing(async () => {
        assertStorableSnapshot(snapshot);
        return statements.saveSnapshot(database, snapshot);
      }),
    loadSnapshot: (sessionId, foldVersion) =>
      reading([sessionId], () => readSnapshot(database, sessionId, foldVersion)),
    saveCalls: (calls) => writing(() => saveCalls(parts, calls)),
    loadCalls: (ids) => reading(ids, async () => (ids.length === 0 ? [] : loadCalls(database, ids))),
    delete: (sessionId, head) =>
      writing(async () => {
        assertStorableText('a session id', sessionId);
        return deleteSession(database, sessionId, head);
      }),
    onHint: hints.onHint,
    hint: hints.hint,
    countWindow: (windowMs, counts) =>
      reading(
        counts.map(({ bucket }) => bucket),
        async () => (counts.length === 0 ? [] : count({ windowMs, counts })),
      ),
    secret: () =>
      reading([], async () => {
        secret ??= await readSecret(database);
        return secret;
      }),
    health: () => reading([], checkHealth),
    close() {
      closed ??= end()
        .then(() => hints.close())
        .then(close);
      return closed;
    },
  };
}

async function saveCalls({ database, statements }: StorageParts, calls: readonly StoredCall[]): Promise<void> {
  for (const { sessionId } of calls) assertStorableText('a session id', sessionId);
  if (calls.length > 0) await statements.saveCalls(database, calls);
}

/** Returns all strings in the arguments of `ownerEvents`, so that a string that PostgreSQL cannot store is refused. */
const textsIn = (
  ownerIds: readonly string[],
  { after, sessionId, personId, kind, from, to }: OwnerEventsPage,
): readonly string[] =>
  [...ownerIds, after?.at, after?.sessionId, sessionId, personId, kind, from, to].filter((text) => text !== undefined);

/** Counts the calls in progress, and converts their failures to the errors of the storage port. */
function openCalls(refuseWrites: StorageParts['refuseWrites']) {
  let underway = 0;
  let onIdle = (): void => undefined;
  let isClosed = false;

  async function run<T>(effect: 'read' | 'write', texts: readonly string[], work: () => Promise<T>): Promise<T> {
    if (isClosed) throw new StorageUnavailable('The storage is closed.');
    const refusal = effect === 'write' ? refuseWrites?.() : undefined;
    if (refusal !== undefined) throw new StorageUnavailable(refusal);
    for (const text of texts) assertStorableText('an id', text);
    underway += 1;
    try {
      return await work();
    } catch (error) {
      throw toPortFailure(error, effect);
    } finally {
      underway -= 1;
      if (underway === 0) onIdle();
    }
  }

  return {
    writing: <T>(work: () => Promise<T>) => run('write', [], work),
    /**
     * Runs a read. Rejects if PostgreSQL cannot store one of `texts`, which are the strings in the arguments of the
     * call.
     */
    reading: <T>(texts: readonly string[], work: () => Promise<T>) => run('read', texts, work),
    /** Refuses new calls. Resolves when the calls in progress have ended. */
    end: () =>
      new Promise<void>((resolve) => {
        isClosed = true;
        onIdle = resolve;
        if (underway === 0) resolve();
      }),
  };
}

function explainExisting(error: unknown): never {
  if (error instanceof StatementRefused && error.sqlState === '23505')
    throw new Error('A session with this id already exists.');
  throw error;
}
