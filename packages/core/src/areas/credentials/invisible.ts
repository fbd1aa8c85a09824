/**
 * Invisible characters, such as soft hyphens and joiners. A token with such a character inside would match no pattern.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** Matches any character beyond ASCII. A text without a match contains no invisible character. */
const BEYOND_ASCII = /[^\0-\x7f]/;

export const visible = (text: string): string => (BEYOND_ASCII.test(text) ? text.replace(INVISIBLE, '') : text);
