import type { Head } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { appendOf, GENESIS, startSessions } from '../../../../packages/storage-pg/test/samples.ts';
import type { OpenWays } from './rounds.ts';
import type { Side } from './side.ts';

/** Number of calls in progress at the same time, each on a session of its own. */
const CALLERS = 32;
/** Text in the data of an event. With its other members the event has 1 KB. */
export const TEXT = 'x'.repeat(900);

interface Session {
  readonly id: string;
  head: Head;
}

/** Prepares the measurement of appends and of fetches that go through the storage, as those of the service do. */
export async function openStorageWays(side: Side): Promise<OpenWays> {
  const storage = await createPostgresStorage({ connectionString: side.url });
  const sessions = (await startSessions(storage, CALLERS)).map((id): Session => ({ id, head: GENESIS }));

  const append = (session: Session) => async () => {
    const request = appendOf(session.id, session.head, TEXT);
    if ((await storage.append(request)) !== 'appended') throw new Error('An append was refused.');
    session.head = request.events[0] ?? session.head;
    return 1;
  };
  const fetch = (session: Session, count: number) => async () => {
    const tail = await storage.fetch(session.id, session.head.seq - count);
    if (tail?.events.length !== count) throw new Error('A fetch returned other events than expected.');
    return 1;
  };
  return {
    ways: [
      { name: 'append', side, callers: sessions.map(append) },
      { name: 'fetch without news', side, callers: sessions.map((session) => fetch(session, 0)) },
      { name: 'fetch of one event', side, callers: sessions.map((session) => fetch(session, 1)) },
    ],
    close: () => storage.close(),
  };
}
