import type { LogTail } from '@parley/core';
import type { Database } from '../database/database.ts';
import type { SessionStatements } from '../sharded/session-statements.ts';
import type { FetchRequest } from '../sql/fetch-sessions.ts';
import { type BatchSettings, openBatcher } from './batcher.ts';
import { settleGroup } from './settle-group.ts';

const keyOf = ({ sessionId, after, skipIfMoreThan }: FetchRequest): string => `${after} ${skipIfMoreThan} ${sessionId}`;

/**
 * Batches fetches. Equal requests share a fetch that was not sent yet. They cannot share a fetch in flight, because it
 * may have read the head before they arrived.
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
