/** Makes a text one word of a POSIX shell. It is quoted only if necessary. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) && !text.startsWith('~') ? text : `'${text.replaceAll("'", `'\\''`)}'`;
