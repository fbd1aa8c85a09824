/**
 * Matches exactly the line breaks that JavaScript counts as white space. If it matched others too, such as U+0085, a
 * text that consists of them would be accepted as not blank, but rendered as blank.
 */
const LINE_BREAK = /\r\n|[\n\r\v\f\u2028\u2029]/;
/** Characters that are invisible or that change the direction of other text. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;
const JOINER = '\u200d';
const AS_EMOJI = '\ufe0f';
const EMOJI_BEFORE = /[\p{Extended_Pictographic}#*\d]$/u;
const EMOJI_OR_TONE_BEFORE = /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;

/** Replaces the hidden characters of a line by visible escapes. Hidden characters inside an emoji stay. */
export const showHidden = (line: string, shown: (char: string) => string): string =>
  line.replace(HIDDEN, (char, at: number) => (isPartOfEmoji(line, char, at) ? char : shown(char)));

function isPartOfEmoji(line: string, char: string, at: number): boolean {
  if (char === AS_EMOJI) return EMOJI_BEFORE.test(line.slice(Math.max(0, at - 2), at));
  if (char !== JOINER) return false;
  return EMOJI_OR_TONE_BEFORE.test(line.slice(Math.max(0, at - 4), at)) && EMOJI_AFTER.test(line.slice(at + 1, at + 3));
}

const asCodePoint = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Splits a text into trimmed lines, which may be empty. Every kind of blank becomes a space, and hidden characters
 * become `\u{…}`.
 */
export const visibleLines = (text: string): string[] =>
  text.split(LINE_BREAK).map((line) => showHidden(line.replace(/[\t\p{Zs}]/gu, ' '), asCodePoint).trim());

/** Replaces the hidden characters of a text by `\u{…}`, and keeps its lines and their indentation. */
export const visibleBlock = (text: string): string =>
  text
    .split(LINE_BREAK)
    .map((line) => showHidden(line, (char) => (char === '\t' ? char : asCodePoint(char))))
    .join('\n');

/** A text on one line, cut at a maximum length. */
export function visibleLabel(text: string, maxChars: number): string {
  const chars = [
    ...visibleLines(text)
      .filter(Boolean)
      .join(' ')
      .slice(0, 2 * maxChars + 2),
  ];
  return chars.length > maxChars ? `${chars.slice(0, maxChars - 1).join('')}…` : chars.join('');
}
