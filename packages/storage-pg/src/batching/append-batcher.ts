import type { Append } from '@parley/core';
import type { Database } from '../database/database.ts';
import { isConflict } from '../database/failures.ts';
import type { SessionStatements } from '../sharded/session-statements.ts';
import { type BatchSettings, openBatcher } from './batcher.ts';
import { settleGroup } from './settle-group.ts';

export type AppendAnswer = 'appended' | 'refused';

/**
 * Batches appends. A session has at most one append in flight, because only one of two appends to the same head could
 * win.
 */
export function openAppendBatcher(
  database: Database,
  { append }: SessionStatements,
  settings: BatchSettings,
): (append: Append) => Promise<AppendAnswer> {
  return openBatcher<Append, AppendAnswer>(settings, {
    keyOf: ({ sessionId }) => sessionId,
    charsOf,
    send: (group) => settleGroup(group, (members) => answersTo(members, append(database, members))),
  });
}

/**
 * Converts the result of a batch to one answer for each append. If a batch of one append conflicts with another
 * transaction, the answer is `refused`. If a larger batch conflicts, rejects, and `settleGroup` sends each append of
 * the batch separately.
 */
async function answersTo(
  group: readonly Append[],
  sent: Promise<readonly boolean[]>,
): Promise<readonly AppendAnswer[]> {
  try {
    return (await sent).map((hasWon) => (hasWon ? 'appended' : 'refused'));
  } catch (error) {
    if (group.length === 1 && isConflict(error)) return ['refused'];
    throw error;
  }
}

function charsOf({ events, documents }: Append): number {
  return [...events, ...documents].reduce((chars, { body }) => chars + body.length, 0);
}
