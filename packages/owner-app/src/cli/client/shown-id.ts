import { type Page, UNLIMITED } from '../../text/page.ts';

const MIN_CHARS = 4;

/**
 * The id of a session in the commands that the output shows: on a terminal what the person typed, because no other session
 * has this prefix; in a file or a pipe the whole id.
 */
export const shownGiven = (given: string, sessionId: string, { columns }: Pick<Page, 'columns'>): string =>
  columns === UNLIMITED ? sessionId : given;

/**
 * The id of a session as a list shows it: its shortest prefix.
 *
 * @param ids the ids of all sessions of the owner, sorted. Empty for the whole id
 */
export const shownId = (id: string, ids: readonly string[]): string =>
  ids.length === 0 ? id : shortestPrefix(id, ids);

/** The shortest beginning of a session id, of at least four characters, with which no other of the given ids begins. */
function shortestPrefix(id: string, ids: readonly string[]): string {
  const at = ids.indexOf(id);
  const shared = [ids[at - 1], ids[at + 1]].map((other) => (other === undefined ? 0 : sharedChars(id, other)));
  return id.slice(0, Math.max(MIN_CHARS, ...shared.map((count) => count + 1)));
}

function sharedChars(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}
