import { plural } from '@parley/core/text';
import { shortened } from './first-words.ts';

interface FoldableHit {
  readonly session_id: string;
  readonly record: { readonly type: string; readonly id: string };
  readonly excerpt: string;
  readonly status?: string | undefined;
  readonly superseded_by?: string | undefined;
  /** The searched words that are not in the excerpt. */
  readonly elsewhere?: readonly string[] | undefined;
  readonly marks?: readonly { readonly end: number }[] | undefined;
  /** For a contract: the places that contain the words. */
  readonly places?: readonly { readonly excerpts: readonly string[] }[] | undefined;
}

/** A hit of a search, and the hits that are listed below it. */
export interface FoldedHit<Hit> {
  readonly hit: Hit;
  /** The first hit of each other session that has the same text and status, also at another place of a contract. */
  readonly also: readonly Hit[];
  /** The first hit of each other session that has a similar text of the same kind of record, and the same status. */
  readonly similar: readonly Hit[];
  /** Decisions of the same session which the decision of this hit has superseded. */
  readonly earlier: readonly Hit[];
}

interface OpenFold<Hit> extends FoldedHit<Hit> {
  readonly also: Hit[];
  readonly similar: Hit[];
}

/**
 * Folds equal and similar texts of several sessions into one entry, and superseded decisions into the entry of the
 * decision that superseded them. Puts what was said before texts of contracts. Hits of which some words are only
 * elsewhere in the record follow, then superseded decisions and revisions. Of texts of one kind, those with a whole
 * word come first.
 */
export function foldHits<Hit extends FoldableHit>(hits: readonly Hit[]): FoldedHit<Hit>[] {
  const { current, earlierOf } = withoutEarlier(hits);
  const folds: OpenFold<Hit>[] = [];
  for (const hit of current)
    if (!addToFold(folds, hit)) folds.push({ hit, also: [], similar: [], earlier: earlierOf.get(hit) ?? [] });
  for (const hit of current) if (hit.places) addPlaces(folds, hit);
  return folds.toSorted((one, other) => rankOf(one.hit) - rankOf(other.hit));
}

/** Separates the superseded decisions whose superseding decision is a hit too. */
function withoutEarlier<Hit extends FoldableHit>(hits: readonly Hit[]) {
  const keyOf = ({ session_id }: Hit, id: string): string => `${session_id} ${id}`;
  const decisions = new Map<string, Hit>();
  for (const hit of hits.toReversed())
    if (hit.record.type === 'decision') decisions.set(keyOf(hit, hit.record.id), hit);
  const laterOf = (hit: Hit): Hit | undefined =>
    hit.superseded_by ? decisions.get(keyOf(hit, hit.superseded_by)) : undefined;
  const earlierOf = new Map<Hit, Hit[]>();
  const current: Hit[] = [];
  for (const hit of hits) {
    let latest = hit;
    for (let later = laterOf(hit); later; later = laterOf(later)) latest = later;
    if (latest === hit) current.push(hit);
    else earlierOf.set(latest, [...(earlierOf.get(latest) ?? []), hit]);
  }
  return { current, earlierOf };
}

/** Adds a hit to the first entry into which it can be folded. Returns false if there is none. */
function addToFold<Hit extends FoldableHit>(folds: readonly OpenFold<Hit>[], hit: Hit): boolean {
  for (const { hit: first, also, similar } of folds) {
    if (first.session_id === hit.session_id || (first.status ?? '') !== (hit.status ?? '')) continue;
    const isEqual = first.excerpt === hit.excerpt;
    if (!isEqual && !isSimilar(first, hit)) continue;
    const isNamed = [...also, ...similar].some(({ session_id }) => session_id === hit.session_id);
    if (isNamed && !isEqual) continue;
    if (!isNamed) (isEqual ? also : similar).push(hit);
    return true;
  }
  return false;
}

/** Names the session of a contract in each entry whose text stands at a place of the contract. */
function addPlaces<Hit extends FoldableHit>(folds: readonly OpenFold<Hit>[], hit: Hit): void {
  const texts = new Set(hit.places?.flatMap(({ excerpts }) => excerpts));
  for (const { hit: first, also, similar } of folds) {
    const isOther = [first, ...also, ...similar].every(({ session_id }) => session_id !== hit.session_id);
    if (isOther && texts.has(first.excerpt) && (first.status ?? '') === (hit.status ?? '')) also.push(hit);
  }
}

/** A text has at least this number of words if another text may be similar to it. */
const SIMILAR_LENGTH = 8;

/** The part of the words of the longer text that two similar texts have in common. */
const SIMILAR_PART = 3 / 4;

/** Whether two texts of the same kind of record have most of their words in common, in any order. */
function isSimilar(one: FoldableHit, other: FoldableHit): boolean {
  if (one.record.type !== other.record.type) return false;
  const [words, others] = [one.excerpt.split(/\s+/), other.excerpt.split(/\s+/)];
  const length = Math.max(words.length, others.length);
  if (length < SIMILAR_LENGTH) return false;
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  const common = others.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return common.length >= length * SIMILAR_PART;
}

/** The types of records whose hits are in the text of a contract. */
const CONTRACT_TYPES = ['revision', 'manifest'];

function rankOf(hit: FoldableHit): number {
  const { status, elsewhere = [], record } = hit;
  if (status === 'SUPERSEDED') return 6;
  if (elsewhere.length > 0) return 4;
  return (CONTRACT_TYPES.includes(record.type) ? 2 : 0) + (hasWholeWord(hit) ? 0 : 1);
}

/** Whether a searched word stands in the text as a whole word, not only at the beginning of a longer word. */
const hasWholeWord = ({ excerpt, marks }: FoldableHit): boolean =>
  marks === undefined || marks.some(({ end }) => !/[\p{L}\p{N}]/u.test(excerpt.charAt(end)));

/** A search pauses after this number of hits. Many hits are folded into a few entries, so the number is high. */
export const ENOUGH_HITS = 200;

/** Number of characters of a session id that are shown in a list of ids. Commands accept such a beginning of an id. */
const SHOWN_CHARS = 8;

/** Lines in which the titles of other sessions must fit, and the minimum and maximum length of a title in characters. */
const TITLE_LINES = 4;
const MIN_TITLE_CHARS = 16;
const MAX_TITLE_CHARS = 40;

/** Number of characters between two titles: an id, quotation marks and separators. */
const BETWEEN_TITLES = SHOWN_CHARS + 5;

interface OtherSession {
  readonly session_id: string;
  readonly title: string;
}

/**
 * The sessions that have the same text: `the same in 1 other session: 7g24Xk2a "Refunds"`. Without titles if the first
 * words of all titles do not fit in four lines. Empty if there are no sessions.
 */
export function alsoText(
  also: readonly OtherSession[],
  { columns, count = alsoCount }: { readonly columns: number; readonly count?: typeof alsoCount },
): string {
  if (also.length === 0) return '';
  const chars = Math.min(MAX_TITLE_CHARS, Math.floor((columns * TITLE_LINES) / also.length) - BETWEEN_TITLES);
  const named = also.map(({ session_id, title }) => {
    const id = session_id.slice(0, SHOWN_CHARS);
    return chars < MIN_TITLE_CHARS ? id : `${id} "${shortened(title, chars)}"`;
  });
  return `${count(also.length)}: ${named.join(', ')}`;
}

/** `the same in 2 other sessions`. */
export const alsoCount = (count: number): string => `the same in ${plural(count, 'other session')}`;

/** `similar in 2 other sessions`. */
export const similarCount = (count: number): string => `similar in ${plural(count, 'other session')}`;

/** `1 superseded decision with these words`. */
export const earlierCount = (count: number): string => `${plural(count, 'superseded decision')} with these words`;

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

/**
 * What a hit names: the id of a record, or the number of a message, such as `#55`, if the text is not part of a record
 * that can be opened. A request of the owner for changes is a message, because only agents write revisions.
 *
 * @param canOpen whether a record with this id can be opened
 */
export function hitPlace({ seq, from, record: { type, id } }: PlacedHit, canOpen: boolean): HitPlace {
  const isRequest = type === 'revision' && from === 'owner';
  return isRequest || !canOpen
    ? { message: seq, text: `#${seq}${isRequest ? `, request on ${id}` : ''}` }
    : { message: null, text: id };
}

interface PlacedHit {
  readonly seq: number;
  readonly from: string;
  readonly record: { readonly type: string; readonly id: string };
}

interface HitPlace {
  /** The number of the message that is opened. Null if the record is opened. */
  readonly message: number | null;
  readonly text: string;
}

/** The present status of the record of a hit: `superseded by d_2`, `resolved`. Empty if the hit has no status. */
export const standingText = ({
  status = '',
  superseded_by = '',
}: {
  status?: string | undefined;
  superseded_by?: string | undefined;
}): string => (superseded_by === '' ? status.toLowerCase() : `superseded by ${superseded_by}`);

/** Which of the searched words are not in the excerpt. Empty if the excerpt contains all words. */
export const elsewhereText = (words: readonly string[]): string =>
  words.length === 0 ? '' : `elsewhere in the same record: ${words.join(', ')}`;

/** A place of a contract that contains the searched words. */
export interface FoundPlace {
  /** Name of the member of the contract. */
  readonly section: string;
  /** Id of the record in the section. Absent if the place is the whole section. */
  readonly id?: string | undefined;
  /** The place, such as `risk ri-1`. */
  readonly words: string;
  readonly excerpts: readonly string[];
}

/** Maximum number of places that are named. */
const NAMED_PLACES = 6;

/** The places of a contract that contain the searched words: `3 places in r_2: summary, test t-3, risk ri-1`. */
export function placesText(places: readonly FoundPlace[], revisionId: string): string {
  if (places.length === 0) return '';
  const more = places.length > NAMED_PLACES ? [`${places.length - NAMED_PLACES} more`] : [];
  const named = places.slice(0, NAMED_PLACES).map(({ words }) => words);
  return `${plural(places.length, 'place')} in ${revisionId}: ${[...named, ...more].join(', ')}`;
}
