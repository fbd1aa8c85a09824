/** Characters that show nothing, with which a token would be cut in two: soft hyphen, joiners, selectors, tags. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** Only what stands beyond Latin text can hold one, but for the soft hyphen. */
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The text as a reader sees it. */
export const visible = (text: string): string => (BEYOND_ASCII.test(text) ? text.replace(INVISIBLE, '') : text);
