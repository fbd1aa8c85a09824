/** Makes a text one word of a POSIX shell, and quotes the text only if necessary. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) && !text.startsWith('~') ? text : `'${text.replaceAll("'", `'\\''`)}'`;
