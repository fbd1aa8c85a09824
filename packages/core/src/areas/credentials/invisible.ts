/** Characters without a glyph that could split a token in two: soft hyphen, joiners, selectors, tags. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** Fast path: apart from the soft hyphen, only text beyond Latin-1 can contain such a character. */
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The text without invisible characters. */
export const visible = (text: string): string => (BEYOND_ASCII.test(text) ? text.replace(INVISIBLE, '') : text);
