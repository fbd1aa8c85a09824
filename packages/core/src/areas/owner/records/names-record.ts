/** Whether a text names the record with this id, as a whole word: `def_12` does not name `def_1`. */
export const namesRecord = (text: string | null, id: string): boolean =>
  text !== null && new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(text);
