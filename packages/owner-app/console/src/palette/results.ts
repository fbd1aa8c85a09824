import { recordPath } from '../../../src/text/record-address.ts';
import type { Glance } from '../api/types.ts';
import { tabOfRecord, toAudit, toInbox, toNew, toSession, toTable } from '../state/route.ts';

export interface Result {
  readonly key: string;
  readonly text: string;
  readonly detail: string;
  readonly address: string;
}

/** Maximum number of sessions in the results. */
const MOST = 20;

/** A page of the console. */
interface Place extends Result {
  /** Further words by which the palette finds the page. */
  readonly words?: string;
}

/** Found only by typed words, unlike `PLACES`, which are also listed before anything is typed. */
const DEFECTS: Place = {
  key: 'defects',
  text: 'Sessions with open defects',
  detail: 'the table of sessions, filtered',
  words: 'disputed',
  address: `${toTable()}?defects=open`,
};

const PLACES: readonly Result[] = [
  { key: 'inbox', text: 'Inbox', detail: 'what waits for you', address: toInbox() },
  { key: 'sessions', text: 'Sessions', detail: 'all sessions as a table', address: toTable() },
  { key: 'new', text: 'New session', detail: 'describe what is to be built', address: toNew() },
  { key: 'audit', text: 'Audit', detail: 'what people have done', address: toAudit() },
];

/**
 * Finds the results for the typed words: a record of the shown session by its id, sessions by id or title, and pages of
 * the console.
 *
 * @param shownSession id of the session that is shown; null on other pages
 */
export function resultsFor(typed: string, sessions: readonly Glance[], shownSession: string | null): readonly Result[] {
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (title: string): boolean => words.every((word) => title.toLowerCase().includes(word));
  const record = shownSession !== null && tabOfRecord(text) ? [recordIn(shownSession, text)] : [];
  const places = [...PLACES, DEFECTS].filter(({ text: name, words: more = '' }: Place) => isMatch(`${name} ${more}`));
  const found = sessions
    .filter((session) => isMatch(session.title) || (text.length >= 3 && session.session_id.startsWith(text)))
    .slice(0, MOST)
    .map(({ session_id, title, phase, status }) => ({
      key: session_id,
      text: title,
      detail: status === 'ACTIVE' ? phase : `${phase}, ${status}`,
      address: toSession(session_id),
    }));
  return text === '' ? [...PLACES, ...found] : [...record, ...found, ...places];
}

const recordIn = (sessionId: string, id: string): Result => ({
  key: `record ${id}`,
  text: id,
  detail: 'in this session',
  address: recordPath(sessionId, id),
});
