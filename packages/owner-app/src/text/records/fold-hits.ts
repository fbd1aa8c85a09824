import { plural } from '../counted.ts';

interface FoldableHit {
  readonly session_id: string;
  readonly excerpt: string;
  readonly status?: string | undefined;
}

/** A hit of a search, and the first hit of each other session that has the same text and status. */
export interface FoldedHit<Hit> {
  readonly hit: Hit;
  readonly also: readonly Hit[];
}

/** Folds each hit into the first hit of another session that has the same text and the same status. */
export function foldHits<Hit extends FoldableHit>(hits: readonly Hit[]): FoldedHit<Hit>[] {
  const folded: { readonly hit: Hit; readonly also: Hit[] }[] = [];
  const first = new Map<string, { readonly hit: Hit; readonly also: Hit[] }>();
  for (const hit of hits) {
    const key = `${hit.status ?? ''} ${hit.excerpt}`;
    const known = first.get(key);
    if (known && known.hit.session_id !== hit.session_id) {
      if (!known.also.some(({ session_id }) => session_id === hit.session_id)) known.also.push(hit);
      continue;
    }
    const entry = { hit, also: [] };
    folded.push(entry);
    if (!known) first.set(key, entry);
  }
  return folded;
}

/** A text has at least this number of words if another text may be similar to it. */
const SIMILAR_LENGTH = 8;

/** Number of words in which two similar texts may differ. */
const SIMILAR_WORDS = 3;

interface SimilarHit extends FoldableHit {
  readonly record: { readonly type: string; readonly id: string };
}

/**
 * Folds each entry into the first entry of another session whose text belongs to a record with the same id and status,
 * and differs in at most three words.
 */
export function foldSimilar<Hit extends SimilarHit>(
  entries: readonly FoldedHit<Hit>[],
): (FoldedHit<Hit> & { readonly similar: readonly Hit[] })[] {
  const folded: (FoldedHit<Hit> & { readonly similar: Hit[] })[] = [];
  for (const entry of entries) {
    const known = folded.find(
      ({ hit, also, similar }) =>
        isSimilar(hit, entry.hit) &&
        [hit, ...also, ...similar].every(({ session_id }) => session_id !== entry.hit.session_id),
    );
    if (known) known.similar.push(entry.hit, ...entry.also);
    else folded.push({ ...entry, similar: [] });
  }
  return folded;
}

function isSimilar(one: SimilarHit, other: SimilarHit): boolean {
  if (one.record.type !== other.record.type || one.record.id !== other.record.id) return false;
  const [words, others] = [one.excerpt.split(/\s+/), other.excerpt.split(/\s+/)];
  if (one.status !== other.status || words.length !== others.length || words.length < SIMILAR_LENGTH) return false;
  return words.filter((word, at) => word !== others[at]).length <= SIMILAR_WORDS;
}

/** Number of characters of a session id that are shown in a list of ids. Commands accept such a beginning of an id. */
const SHOWN_CHARS = 8;

/** The sessions that have the same text: `the same in 2 other sessions: 7g24Xk2a, kp1xQ3b1`. Empty if there are none. */
export const alsoText = (also: readonly Pick<FoldableHit, 'session_id'>[], count = alsoCount): string =>
  also.length === 0
    ? ''
    : `${count(also.length)}: ${also.map(({ session_id }) => session_id.slice(0, SHOWN_CHARS)).join(', ')}`;

/** `the same in 2 other sessions`. */
export const alsoCount = (count: number): string => `the same in ${plural(count, 'other session')}`;

/** `similar in 2 other sessions`. */
export const similarCount = (count: number): string => `similar in ${plural(count, 'other session')}`;

/**
 * The line above the list of hits, which has one entry for equal texts: `16 hits, 2 different texts.`
 *
 * @param texts number of entries in the list
 * @param isComplete whether all sessions were searched
 */
export function hitsText(hits: number, texts: number, isComplete: boolean): string {
  if (hits === 0) return isComplete ? 'No session contains these words.' : 'No hits so far. Older sessions remain.';
  const count = `${plural(hits, 'hit')}${isComplete ? '' : ' so far'}`;
  const different = texts === hits ? '' : `, ${plural(texts, 'different text')}`;
  return `${count}${different}.${isComplete ? '' : ' Older sessions remain.'}`;
}

/** The present status of the record of a hit: `superseded by d_2`, `resolved`. Empty if the hit has no status. */
export const standingText = ({
  status = '',
  superseded_by = '',
}: {
  status?: string;
  superseded_by?: string;
}): string => (superseded_by === '' ? status.toLowerCase() : `superseded by ${superseded_by}`);

/** Which of the searched words are not in the excerpt. Empty if the excerpt contains all words. */
export const elsewhereText = (words: readonly string[]): string =>
  words.length === 0 ? '' : `elsewhere in the same record: ${words.join(', ')}`;
