import type { Append } from '@parley/core';
import { type BatchSettings, openBatcher } from './batcher.ts';
import type { Database } from './database.ts';
import { isConflict } from './failures.ts';
import type { SessionStatements } from './session-statements.ts';
import { settleGroup } from './settle-group.ts';

export type AppendAnswer = 'appended' | 'refused';

/**
 * Batches appends. A session has at most one append in flight: of two appends to one head in one statement only one
 * could win.
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

/** A single append that lost a race is refused; a batch is sent again one append at a time. */
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
