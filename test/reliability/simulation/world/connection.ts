import { type Storage, StorageUnavailable } from '@parley/core';
import { sendAppend } from './append-faults.ts';
import { sendHints } from './hints.ts';
import { exchange } from './messages.ts';
import type { HostProcess } from './process.ts';
import { takeSnapshot } from './snapshot-faults.ts';
import type { World } from './world.ts';

/** The storage as one host process sees it: every call takes time and may fail. */
export function connect(world: World, process: HostProcess): Storage {
  const { store, faults, timeline } = world;
  const send = <T>(work: () => T): Promise<T> => exchange(world, process, work);
  const read = <T>(work: () => T): Promise<T> => {
    if (!faults.fires('fetchFails')) return send(work);
    process.failedAt.push(timeline.now());
    return send(() => {
      throw new StorageUnavailable('The storage does not answer.');
    });
  };
  return {
    create: (session, events, documents) => send(() => store.create(session, events, documents)),
    append: (append) => sendAppend(world, process, append),
    fetch: (sessionId, after, skipIfMoreThan) => read(() => store.fetch(sessionId, after, skipIfMoreThan)),
    events: (sessionId, from, to) => read(() => store.log(sessionId).slice(from - 1, to)),
    document: (sessionId, sha256) => read(() => store.document(sessionId, sha256)),
    saveSnapshot: (snapshot) => send(() => store.snapshots.put(snapshot)),
    loadSnapshot: (sessionId, foldVersion) => read(() => takeSnapshot(world, sessionId, foldVersion)),
    ownerEvents: async () => [],
    usage: async () => ({ sessions: 0, events: 0, bytes: 0 }),
    find: async () => null,
    list: async () => [],
    delete: async () => false,
    onHint: (listener) => {
      process.hear = listener;
      return () => {
        process.hear = () => undefined;
      };
    },
    hint: (sessionIds) => sendHints(world, process, sessionIds),
    countWindow: (windowMs, counts) => read(() => store.countWindow(windowMs, counts)),
    secret: async () => store.secret,
    health: () => send(() => undefined),
    close: async () => undefined,
  };
}
