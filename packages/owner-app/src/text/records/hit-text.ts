import { plural } from '@parley/core/text';
import { shortened } from './first-words.ts';

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
