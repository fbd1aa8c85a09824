import { batch, signal } from '@preact/signals';
import { ENOUGH_HITS } from '../../../src/text/records/hit-text.ts';
import { ApiError } from '../api/api-error.ts';
import { call, signIns } from '../api/client.ts';
import type { Found } from '../api/types.ts';

export type Hit = Found['hits'][number];

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
