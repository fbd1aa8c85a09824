import type { Append } from '@parley/core';
import { type BatchSettings, openBatcher } from './batcher.ts';
import type { Database } from './database.ts';
import { isConflict } from './failures.ts';
import type { SessionStatements } from './session-statements.ts';
import { settleGroup } from './settle-group.ts';

export type AppendAnswer = 'appended' | 'refused';

/**
 * Batches appends. A session has at most one append in flight: if one statement contained two appends to the same head, only
 * one of them could win.
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
 * The answers to a batch of appends. If a batch of a single append loses a race in the database, its answer is `refused`. A
 * larger batch fails, and `settleGroup` sends each of its appends alone.
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
