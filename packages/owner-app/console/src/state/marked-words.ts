import { computed } from '@preact/signals';
import { search } from './route.ts';

/** The member of the query that contains a word to highlight. It occurs once for each word. */
const MARK = 'mark';

/** The words of the address, which the page of a session highlights. A hit of a search puts them there. */
export const markedWords = computed<readonly string[]>(() => new URLSearchParams(search.value).getAll(MARK));

/** Adds words to the address of a page of a session, which highlights them. */
export function withMarks(address: string, words: readonly string[]): string {
  const url = new URL(address, location.href);
  for (const word of new Set(words.map((each) => each.toLowerCase()))) url.searchParams.append(MARK, word);
  return `${url.pathname}${url.search}${url.hash}`;
}
