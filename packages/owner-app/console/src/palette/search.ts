import { batch, signal } from '@preact/signals';
import { ENOUGH_HITS, type FoundPlace } from '../../../src/text/records/hit-text.ts';
import { ApiError } from '../api/api-error.ts';
import { get, signIns } from '../api/client.ts';

export interface Hit {
  readonly session_id: string;
  readonly title: string;
  readonly seq: number;
  readonly at: string;
  readonly from: string;
  readonly name: string | null;
  /** The kind of the event that contains the words. */
  readonly kind: string;
  readonly record: { readonly type: string; readonly id: string };
  readonly status?: string;
  readonly superseded_by?: string;
  readonly excerpt: string;
  /** For a contract: the places that contain the words, the best first. */
  readonly places?: readonly FoundPlace[];
  /** The searched words that are not in the excerpt. */
  readonly elsewhere?: readonly string[];
  /** Positions of the words in the excerpt. `end` is the position after the word. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

interface Found {
  readonly hits: readonly Hit[];
  readonly next_after: string | null;
}

/** Maximum number of calls in one step of a search. Each call searches only a part of the logs. */
const CALLS = 5;

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
      const found = await get<Found>('/find', next.value === '' ? { words } : { words, after: next.value });
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
