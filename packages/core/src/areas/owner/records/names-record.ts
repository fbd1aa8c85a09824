/** Whether a text names the record with this id, as a whole word: `def_1` is not named by `def_12`. */
export const namesRecord = (text: string | null, id: string): boolean =>
  text !== null && new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(text);
