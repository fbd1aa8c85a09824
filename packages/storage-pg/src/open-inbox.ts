import { assertStorableText, type StoredInbox } from '@parley/core';
import type { Database } from './database/database.ts';
import type { SessionStatements } from './sharded/statements.ts';
import { countInbox, noteBroken, pageOfInbox, unplacedInInbox } from './sql/inbox.ts';

/** Functions that run calls of the storage, and convert their failures to errors of the storage port. */
interface Calls {
  reading<T>(texts: readonly string[], work: () => Promise<T>): Promise<T>;
  writing<T>(work: () => Promise<T>): Promise<T>;
}

/** Reads and stores the places of sessions in the inboxes of their owners. */
export const openInbox = (
  database: Database,
  statements: SessionStatements,
  { reading, writing }: Calls,
): StoredInbox => ({
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
