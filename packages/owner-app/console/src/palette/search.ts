import { batch, signal } from '@preact/signals';
import { recordPath } from '../../../src/text/record-address.ts';
import { ApiError } from '../api/api-error.ts';
import { call, signIns } from '../api/client.ts';
import type { Found, Glance } from '../api/types.ts';
import { tabOfRecord, toAudit, toFind, toInbox, toNew, toSession, toTable } from '../state/route.ts';

export type Hit = Found['hits'][number];

/** Maximum number of calls in one step of a search. Each call searches only a part of the logs. */
const CALLS = 5;

/** One step of a search ends after this number of hits. */
const ENOUGH_HITS = 50;

/**
 * The hits of the last search of this tab, newest first. They are kept while another page is shown, so that a step back
 * in the history of the browser shows them at once.
 */
export const hits = signal<readonly Hit[]>([]);
/** The parameter `after` of the next call of the search. Empty before the first call, null if all sessions were searched. */
export const next = signal<string | null>('');
export const searchError = signal<ApiError | null>(null);
export const isSearching = signal(false);

let last = '';
let searches = 0;

const keyOf = (words: string): string => `${signIns.value} ${words}`;

/** Whether `hits` are the hits of these words, found since the last sign-in. */
export const hasFound = (words: string): boolean => last === keyOf(words);

/** Searches all sessions for words, from the newest session on. */
export function findWords(words: string): Promise<void> {
  last = keyOf(words);
  searches += 1;
  batch(() => {
    hits.value = [];
    next.value = '';
  });
  return findMore(words);
}

/** Continues the search in older sessions. Answers are ignored if another search has been started. */
export async function findMore(words: string): Promise<void> {
  const search = searches;
  const before = hits.value.length;
  isSearching.value = true;
  searchError.value = null;
  try {
    for (let calls = 0; calls < CALLS && next.value !== null && hits.value.length < before + ENOUGH_HITS; calls += 1) {
      const found = await call('find', next.value === '' ? { words } : { words, after: next.value });
      if (search !== searches) return;
      batch(() => {
        hits.value = [...hits.value, ...found.hits];
        next.value = found.next_after;
      });
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (search === searches) searchError.value = error;
  } finally {
    if (search === searches) isSearching.value = false;
  }
}

export interface Result {
  readonly key: string;
  readonly text: string;
  readonly detail: string;
  readonly address: string;
  /** The words that this result finds in all sessions. */
  readonly words?: string;
}

/** Maximum number of sessions in the results. */
const MOST = 20;

/** A page of the console. */
interface Place extends Result {
  /** Further words by which the palette finds the page. */
  readonly others?: string;
}

/** Found only by typed words, unlike `PLACES`, which are also listed before anything is typed. */
const DEFECTS: Place = {
  key: 'defects',
  text: 'Sessions with open defects',
  detail: 'the table of sessions, filtered',
  others: 'disputed',
  address: `${toTable()}?defects=open`,
};

const PLACES: readonly Result[] = [
  { key: 'inbox', text: 'Inbox', detail: 'what waits for you', address: toInbox() },
  { key: 'sessions', text: 'Sessions', detail: 'all sessions as a table', address: toTable() },
  { key: 'new', text: 'New session', detail: 'describe what is to be built', address: toNew() },
  { key: 'audit', text: 'Audit', detail: 'what people have done', address: toAudit() },
];

/**
 * Finds the results for the typed words, in this order: a record of the shown session by its id; the sessions and pages
 * that the typed words name exactly; the search for the words in all sessions; sessions by id or title; pages of the
 * console.
 *
 * @param shownSession id of the session that is shown; null on other pages
 */
export function resultsFor(typed: string, sessions: readonly Glance[], shownSession: string | null): readonly Result[] {
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (title: string): boolean => words.every((word) => title.toLowerCase().includes(word));
  const record = shownSession !== null && tabOfRecord(text) ? [recordIn(shownSession, text)] : [];
  const places = [...PLACES, DEFECTS].filter(({ text: name, others = '' }: Place) => isMatch(`${name} ${others}`));
  const found = sessions
    .filter((session) => isMatch(session.title) || (text.length >= 3 && session.session_id.startsWith(text)))
    .slice(0, MOST)
    .map(({ session_id, title, phase, status }) => ({
      key: session_id,
      text: title,
      detail: status === 'ACTIVE' ? phase : `${phase}, ${status}`,
      address: toSession(session_id),
    }));
  if (text === '') return [...PLACES, ...found];
  const isNamed = ({ key, text: name }: Result): boolean =>
    name.toLowerCase() === text.toLowerCase() || (text.length >= 3 && key.startsWith(text));
  const named = [...found, ...places].filter(isNamed);
  const others = [...found, ...places].filter((result) => !isNamed(result));
  return [...record, ...named, searchFor(text), ...others];
}

const searchFor = (words: string): Result => ({
  key: 'find',
  text: `Find “${words.replaceAll('"', '')}”`,
  detail: 'in the transcripts and contracts of all sessions',
  address: toFind(words),
  words,
});

const recordIn = (sessionId: string, id: string): Result => ({
  key: `record ${id}`,
  text: id,
  detail: 'in this session',
  address: recordPath(sessionId, id),
});
