/**
 * Matches a character that readers do not see, or that hides or reorders others: control and format characters,
 * variation selectors, fillers, blanks that are not white space, lone surrogates, and private characters.
 */
const HIDDEN = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800`;
const HIDDEN_LETTER = new RegExp(`[${HIDDEN}]`, 'gu');
/** Matches an emoji, whose parts a joiner or a selector may hold together. */
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*/gu;
const ASCII = /^[ -~]*$/;

/** Matches a text without hidden characters. */
export const ALL_VISIBLE = new RegExp(`^[^${HIDDEN}]*$`, 'u');

/** Whether a name has a hidden character outside of an emoji. */
export const hidesLetters = (name: string): boolean =>
  !ALL_VISIBLE.test(name) && !ALL_VISIBLE.test(name.replace(EMOJI, ''));

/** The name on one line without hidden characters, in Unicode form NFC. May be empty. */
export function visibleName(name: string): string {
  const shown = ASCII.test(name) ? name : name.replace(HIDDEN_LETTER, spaceOrNothing).normalize('NFC');
  return shown.split(/\s+/).join(' ').trim();
}

const spaceOrNothing = (hidden: string): string => (/[\t-\r\u2028\u2029]/.test(hidden) ? ' ' : '');

/**
 * The key by which names are compared that people read: of people, accounts, topics and files. Names have the same key if
 * they differ only in letter case, white space, hidden characters, or forms of the same letter, such as wide or composed
 * ones. The key of a key is the key itself.
 */
export const nameKey = (name: string): string =>
  ASCII.test(name)
    ? visibleName(name.toLowerCase())
    : visibleName(foldedCase(visibleName(name).normalize('NFKC')).normalize('NFKC'));

/** A text without differences of letter case: ß is ss, and a sigma at the end of a word is a sigma. */
const foldedCase = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
