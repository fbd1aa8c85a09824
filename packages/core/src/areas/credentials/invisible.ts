/**
 * Invisible characters, which somebody could insert into a token to hide it from the search: soft hyphens, joiners,
 * selectors, tags.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/**
 * Matches any character beyond ASCII. A text without a match contains no invisible character, so it need not be searched
 * for them.
 */
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The text without invisible characters. */
export const visible = (text: string): string => (BEYOND_ASCII.test(text) ? text.replace(INVISIBLE, '') : text);
