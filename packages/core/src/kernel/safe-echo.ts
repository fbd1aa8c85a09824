/** A token, a code or an owner key that a client put where a name belongs. */
const SECRET = /(?:prt|pinv|pok)_/i;
const NOT_SHOWN = '[secret]';
/** What no reader sees, what ends a line, and what changes the order of the rest. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const PLAIN = /^[\w$-]+$/;

/**
 * A name from a request as an error may repeat it; in a sentence, by {@link quotedName}.
 *
 * @param maxChars where it is cut
 * @returns `[secret]` for what could be a token, a code or an owner key; hidden characters as `\u{202e}`
 */
export const echoName = (name: string, maxChars = 60): string =>
  SECRET.test(name) ? NOT_SHOWN : visible(name.slice(0, maxChars));

/** The name in quotation marks, which it cannot leave: a sentence that a client made a name stays a quotation. */
export const quotedName = (name: string, maxChars = 60): string =>
  SECRET.test(name) ? `"${NOT_SHOWN}"` : `"${visible(name.slice(0, maxChars).replace(/["\\]/g, '\\$&'))}"`;

/** A path with one more member: `answers[0].text`, `answers["two words"]`. */
export function withMember(path: string, member: string): string {
  const name = echoName(member);
  if (name !== NOT_SHOWN && !PLAIN.test(name)) return `${path}[${quotedName(member)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** A place in a value, such as `questions[0].text`; empty for the value itself. */
export const placeText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : withMember(text, String(part))),
    '',
  );

const visible = (text: string): string =>
  text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
