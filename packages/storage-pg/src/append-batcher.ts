import type { Append } from '@parley/core';
import { type BatchSettings, openBatcher } from './batcher.ts';
import type { Database } from './database.ts';
import { isConflict } from './failures.ts';
import type { SessionStatements } from './session-statements.ts';
import { settleGroup } from './settle-group.ts';

export type AppendAnswer = 'appended' | 'refused';

/** Groups appends. A session is in flight once at most: two appends to one head cannot both win in one statement. */
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

/** A lone append that lost to another transaction is refused; a group is sent again one by one. */
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
