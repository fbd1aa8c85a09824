import { z } from 'zod';
import { fail } from '../../../src/kernel/errors.ts';
import type { StoredEvent } from '../../../src/kernel/log/event.ts';
import { GENESIS } from '../../../src/kernel/log/event.ts';
import type { Domain, SessionRoot } from '../../../src/kernel/operation/operation.ts';
import { createMemoryStorage, type MemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import type { Append } from '../../../src/kernel/storage/storage.ts';
import { noteChain, SESSION } from './chain.ts';

/** A minimal session: a list of texts. */
export interface Notes extends SessionRoot {
  readonly texts: readonly string[];
}

export const notes: Domain<Notes> = {
  catalog: {
    'note.added': { v: 1, seenBy: 'everyone', message: true, data: z.strictObject({ text: z.string() }) },
  },
  foldVersion: 1,
  empty: (sessionId) => ({ sessionId, ownerId: 'owner', head: GENESIS, at: '', texts: [] }),
  evolve: (state, { seq, hash, at, data }) => ({
    ...state,
    head: { seq, hash },
    at,
    texts: [...state.texts, (data as { text: string }).text],
  }),
  authenticate: () => fail('UNAUTHORIZED', 'Nobody holds a token here.'),
  authenticateInvitation: () => fail('INVITATION_INVALID', 'Nobody is invited here.'),
  checkScope: () => undefined,
  checkLifecycle: () => undefined,
  checkLimits: () => undefined,
  openRecords: () => undefined,
  inspectInput: () => [],
  settleObligations: () => [],
  inboxPlace: () => null,
  listing: ({ at }) => ({ title: 'Notes', status: 'ACTIVE', phase: 'PLANNING', createdAt: at }),
};

const LISTING = { title: 'Notes', status: 'ACTIVE', phase: 'PLANNING', createdAt: '2026-11-21T09:00:00.000Z' };

/** The append of the last `count` events of a log. The event before them is its expected head. */
export function appendOf(log: readonly StoredEvent[], count: number): Append {
  const expected = log.at(-count - 1) ?? GENESIS;
  return {
    sessionId: SESSION,
    expected: { seq: expected.seq, hash: expected.hash },
    events: log.slice(-count),
    documents: [],
    listing: LISTING,
  };
}

export async function storageWith(log: readonly StoredEvent[]): Promise<MemoryStorage> {
  const storage = createMemoryStorage();
  await storage.create({ sessionId: SESSION, ownerId: 'owner', listing: LISTING }, log, []);
  return storage;
}

/** Replaces the whole log of the session, as a failover to a standby that lacks events does. */
export async function replaceLog(storage: MemoryStorage, log: readonly StoredEvent[]): Promise<void> {
  await storage.delete(SESSION);
  await storage.create({ sessionId: SESSION, ownerId: 'owner', listing: LISTING }, log, []);
}

export const numbered = (count: number, name = 'note'): StoredEvent[] =>
  noteChain(Array.from({ length: count }, (_, n) => `${name} ${n + 1}`));
