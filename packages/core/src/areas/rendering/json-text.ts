import { showHidden } from './visible.ts';

/** What stands in one line rather than in many. */
const MAX_LINE_CHARS = 100;
/** Deeper levels move no further in: the text would grow with the square of the depth. */
const MAX_INDENT_CHARS = 40;

/**
 * A JSON value as a person lays it out: what is short in one line, members in the order of RFC 8785, so that equal
 * values read alike. Hidden characters are JSON escapes.
 */
export function jsonText(value: unknown, indent = ''): string {
  const short = shortJson(value, MAX_LINE_CHARS - indent.length);
  if (short !== undefined) return short;
  if (typeof value !== 'object' || value === null) return scalar(value);
  const isList = Array.isArray(value);
  const deeper = indent.length < MAX_INDENT_CHARS ? `${indent}  ` : indent;
  const parts = membersOf(value).map(
    ([key, member]) => `${isList ? '' : `${scalar(key)}: `}${jsonText(member, deeper)}`,
  );
  const isPlainList = isList && value.every((member) => typeof member !== 'object');
  const rows = isPlainList ? filledRows(parts, MAX_LINE_CHARS - deeper.length) : parts;
  return `${isList ? '[' : '{'}\n${rows.map((row) => deeper + row).join(',\n')}\n${indent}${isList ? ']' : '}'}`;
}

/** The value in one line of at most so many characters, if it fits. */
export function shortJson(value: unknown, maxChars: number): string | undefined {
  if (typeof value === 'string' && value.length > maxChars) return undefined;
  if (typeof value !== 'object' || value === null) return fits(scalar(value), maxChars);
  if (Object.keys(value).length > maxChars) return undefined;
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let leftChars = maxChars - (isList ? 2 : 4);
  for (const [key, member] of membersOf(value)) {
    const name = isList ? '' : `${scalar(key)}: `;
    const part = shortJson(member, leftChars - name.length);
    if (part === undefined) return undefined;
    parts.push(name + part);
    leftChars -= name.length + part.length + 2;
  }
  if (parts.length === 0) return fits(isList ? '[]' : '{}', maxChars);
  return isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
}

const fits = (text: string, maxChars: number): string | undefined => (text.length <= maxChars ? text : undefined);

/** As many parts to a row as fit. */
function filledRows(parts: readonly string[], maxChars: number): string[] {
  const rows: string[][] = [];
  let leftChars = 0;
  for (const part of parts) {
    const row = rows.at(-1);
    if (row && part.length + 2 <= leftChars) {
      row.push(part);
      leftChars -= part.length + 2;
    } else {
      rows.push([part]);
      leftChars = maxChars - part.length;
    }
  }
  return rows.map((row) => row.join(', '));
}

function membersOf(value: object): [string, unknown][] {
  const members = Object.entries(value);
  return Array.isArray(value) ? members : members.sort(([a], [b]) => (a < b ? -1 : 1));
}

const scalar = (value: unknown): string => showHidden(JSON.stringify(value) ?? 'null', asJsonEscape);

/** A character outside the first plane takes two. */
const asJsonEscape = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
