/**
 * Returns a number with a phrase, in the singular for 1 and otherwise in the plural: `counted(1, 'thing blocks', 'things block')`.
 */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Returns a number with a noun, of which the plural ends in `s`: `plural(2, 'task')`. */
export const plural = (count: number, noun: string): string => counted(count, noun, `${noun}s`);

/** Joins names for a sentence: `a, b and c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Matches a time as the service writes it. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:[\d.]+)?Z$/;

/**
 * A time in the form in which people read it: `2026-11-21 03:46 UTC`. Any other text is returned unchanged.
 *
 * @param at ISO 8601, in UTC
 */
export function timeText(at: unknown): string {
  const text = String(at);
  return ISO_TIME.test(text) ? `${text.slice(0, 16).replace('T', ' ')} UTC` : text;
}

/** The first 12 characters of a commit or checksum. A shorter text is returned unchanged. */
export const shortHash = (hash: string): string => (hash.length > 12 ? `${hash.slice(0, 12)}…` : hash);

/** An id that an author chooses, such as that of a requirement or of a part of a contract. */
export const CHOSEN_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;

/**
 * Matches the last word of a text and the white space before it. Does not match a word of more than 60 characters, so that
 * such a word is cut inside.
 */
const BEGUN_WORD = /\s+\S{1,60}$/;

/**
 * At most `most` characters of a text, including `mark`. A character is a code point. If the text was cut, it ends with
 * `mark`, after a whole word or after the beginning of a long word.
 */
export function firstWords(text: string, most: number, mark = '…'): string {
  if (text.length <= most) return text;
  const chars = [...text];
  if (chars.length <= most) return text;
  const cut = chars.slice(0, most - mark.length).join('');
  const isWordWhole = /^\s/.test(chars[most - mark.length] ?? '');
  return `${(isWordWhole ? cut : cut.replace(BEGUN_WORD, '')).trimEnd()}${mark}`;
}

/** Number of characters of a well-formed text. In every limit of the interface a character is a code point. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if (isHighSurrogate(text.charCodeAt(at))) count -= 1;
  return count;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** For each prefix of an id: the type of record that has such ids. Reviews of the moderator have no ids. */
export const ID_TYPES = {
  d: 'decision',
  q: 'question',
  f: 'finding',
  i: 'intervention',
  act: 'action',
  r: 'revision',
  h: 'hold',
  rec: 'recommendation',
  def: 'defect',
  fu: 'followup',
} as const;

/** The types of records that have ids. */
export type IdRecordType = (typeof ID_TYPES)[keyof typeof ID_TYPES];

const TYPE_OF_PREFIX = new Map<string, IdRecordType>(Object.entries(ID_TYPES));

/** The type of the record with an id such as `d_12`, `q_7` or `def_1`. Undefined if no record has such ids. */
export const recordTypeOf = (id: string): IdRecordType | undefined =>
  TYPE_OF_PREFIX.get(/^([a-z]+)_[1-9]\d{0,8}$/.exec(id)?.[1] ?? '');
