/** Matches text that may be a token, an invitation code or an owner key. A client may send one by mistake in place of a name. */
const SECRET = /(?:prt|pinv|pok)_/i;
const NOT_SHOWN = '[secret]';
/** Characters that are invisible, end a line, or change the direction of other text. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const PLAIN = /^[\w$-]+$/;

/**
 * Makes a name from a request safe for an error message. Inside a sentence use `quotedName` instead.
 *
 * @param maxChars maximum length
 * @returns `[secret]` for a name that could be a token, an invitation code or an owner key; otherwise the name, with
 * hidden characters escaped, such as `\u{202e}`
 */
export const echoName = (name: string, maxChars = 60): string =>
  SECRET.test(name) ? NOT_SHOWN : visible(name.slice(0, maxChars));

/**
 * Puts a name from a request into quotation marks and escapes quotation marks inside it, so that readers see where the client's
 * text begins and ends.
 */
export const quotedName = (name: string, maxChars = 60): string =>
  SECRET.test(name) ? `"${NOT_SHOWN}"` : `"${visible(name.slice(0, maxChars).replace(/["\\]/g, '\\$&'))}"`;

/** The path of a member of the value at `path`, such as `answers[0].text` or `answers["two words"]`. */
export function withMember(path: string, member: string): string {
  const name = echoName(member);
  if (name !== NOT_SHOWN && !PLAIN.test(name)) return `${path}[${quotedName(member)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** The text of a path, such as `questions[0].text`. Empty for the whole value. */
export const placeText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : withMember(text, String(part))),
    '',
  );

const visible = (text: string): string =>
  text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
