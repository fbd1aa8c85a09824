import { isRecord } from '@parley/core/json';

/** A word of a text, and the places of a contract that contain it: ids of records or names of top-level members. */
export interface RareWord {
  readonly word: string;
  readonly places: readonly string[];
}

/** Minimum length of a word. Shorter words say little about the subject of a text. */
const MIN_CHARS = 4;
/** A word in more places than this is not rare. */
const MAX_PLACES = 3;
/** Maximum number of returned words. */
const MAX_WORDS = 6;
/** Words of this length or more are also found with another ending: `minutes` finds `minute`. */
const STEM_CHARS = 6;

const COMMON = new Set(
  'also because been before both cannot contract could does each every from have into make must need only other please says shall should some such than that their them then there these they this those until what when where which while will with within without would your'.split(
    ' ',
  ),
);

/**
 * The words of a text that are in few places of a contract, rarest first. A word without places is not in the contract.
 * Requirements of the session are not part of the contract.
 */
export function rareWords(text: string, contract: Readonly<Record<string, unknown>>): RareWord[] {
  const pieces = Object.entries(contract).flatMap(([member, value]) => piecesIn(member, value));
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu) ?? []);
  return [...words]
    .filter((word) => word.length >= MIN_CHARS && !COMMON.has(word))
    .map((word) => ({ word, places: placesOf(word, pieces) }))
    .filter(({ places }) => places.length <= MAX_PLACES)
    .toSorted((one, other) => one.places.length - other.places.length)
    .slice(0, MAX_WORDS);
}

interface Piece {
  readonly place: string;
  readonly text: string;
}

/** The records of a member of the contract that is a list of records with ids. Otherwise the whole member. */
function piecesIn(member: string, value: unknown): Piece[] {
  const records = Array.isArray(value) ? value.filter(isRecord) : [];
  return records.some(({ id }) => typeof id === 'string')
    ? records.map((record) => ({
        place: typeof record.id === 'string' ? record.id : member,
        text: JSON.stringify(record),
      }))
    : [{ place: member, text: JSON.stringify(value) }];
}

function placesOf(word: string, pieces: readonly Piece[]): string[] {
  const pattern = word.length < STEM_CHARS ? `${word}s?` : `${word.slice(0, -2)}\\p{L}{0,4}`;
  const found = new RegExp(`(?<!\\p{L})${pattern}(?!\\p{L})`, 'iu');
  return [...new Set(pieces.filter(({ text }) => found.test(text)).map(({ place }) => place))];
}
