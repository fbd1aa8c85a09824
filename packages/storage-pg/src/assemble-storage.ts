import {
  assertStorableAppend,
  assertStorableSession,
  assertStorableSnapshot,
  assertStorableText,
  type OwnerEventsPage,
  type Storage,
  StorageUnavailable,
  type StoredCall,
} from '@parley/core';
import type { BatchSettings, GroupedCall, GroupListener } from './batching/batcher.ts';
import { openAppendBatcher, openCountBatcher, openFetchBatcher } from './batching/batchers.ts';
import type { Database } from './database/database.ts';
import { StatementRefused, toPortFailure } from './database/failures.ts';
import type { Hints } from './hints/hints.ts';
import { openHealth } from './open-health.ts';
import { openInbox } from './open-inbox.ts';
import type { SessionStatements } from './sharded/statements.ts';
import { loadCalls } from './sql/calls.ts';
import { readDocument, readEvents, readOwnerEvents } from './sql/events.ts';
import { readSecret } from './sql/read-secret.ts';
import { deleteSession, findSession, listSessions, readUsage } from './sql/sessions.ts';
import { readSnapshot } from './sql/snapshots.ts';

/** The parts of a storage that differ between PostgreSQL and PGlite. */
export interface StorageParts {
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
