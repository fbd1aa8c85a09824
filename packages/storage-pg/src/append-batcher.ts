import type { Append } from '@parley/core';
import { type BatchSettings, openBatcher } from './batcher.ts';
import type { Database } from './database.ts';
import { isConflict } from './failures.ts';
import { settleGroup } from './settle-group.ts';
import { appendSession } from './sharded/append-session.ts';
import { appendSessions } from './sql/append-sessions.ts';

export type AppendAnswer = 'appended' | 'refused';

/** Groups appends. One session is in flight once at most: its own successor would break the group. */
export function openAppendBatcher(
  database: Database,
  settings: BatchSettings,
): (append: Append) => Promise<AppendAnswer> {
  return openBatcher<Append, AppendAnswer>(settings, {
    keyOf: ({ sessionId }) => sessionId,
    charsOf,
    send: (group) => settleGroup(group, (members) => send(database, members, settings.maxBatchSize === 1)),
  });
}

async function send(database: Database, group: readonly Append[], isSingle: boolean): Promise<readonly AppendAnswer[]> {
  try {
    const won = isSingle
      ? await Promise.all(group.map((append) => appendSession(database, append)))
      : await appendSessions(database, group);
    return won.map((hasWon) => (hasWon ? 'appended' : 'refused'));
  } catch (error) {
    if (group.length === 1 && isConflict(error)) return ['refused'];
    throw error;
  }
}

function charsOf({ events, documents }: Append): number {
  return [...events, ...documents].reduce((chars, { body }) => chars + body.length, 0);
}
