import type { LogTail } from '@parley/core';
import { type BatchSettings, openBatcher } from './batcher.ts';
import type { Database } from './database.ts';
import type { SessionStatements } from './session-statements.ts';
import { settleGroup } from './settle-group.ts';
import type { FetchRequest } from './sql/fetch-sessions.ts';

const keyOf = ({ sessionId, after, skipIfMoreThan }: FetchRequest): string => `${after} ${skipIfMoreThan} ${sessionId}`;

/**
 * Batches fetches. A request joins an equal one that was not sent yet. It does not join one that is in flight, which may have
 * read the head before the new request arrived.
 */
export function openFetchBatcher(
  database: Database,
  { fetch }: SessionStatements,
  settings: BatchSettings,
): (request: FetchRequest) => Promise<LogTail | null> {
  const unsent = new Map<string, Promise<LogTail | null>>();
  const submit = openBatcher<FetchRequest, LogTail | null>(settings, {
    send(group) {
      for (const request of group) unsent.delete(keyOf(request));
      return settleGroup(group, (members) => fetch(database, members));
    },
  });
  return (request) => {
    const key = keyOf(request);
    const answer = unsent.get(key) ?? submit(request);
    unsent.set(key, answer);
    return answer;
  };
}
