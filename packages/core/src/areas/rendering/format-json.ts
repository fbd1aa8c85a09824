import { showHidden } from './markdown.ts';

/** Maximum length of a value that is written on one line. */
const MAX_LINE_CHARS = 100;
/**
 * Maximum indentation. With an unlimited indentation, the length of the text would grow with the square of the depth.
 */
const MAX_INDENT_CHARS = 40;

/**
 * Formats a JSON value for people. Short values are written on one line. Members are sorted as in RFC 8785, so that
 * equal values give equal texts. Hidden characters become JSON escapes.
 */
export const formatJson = (value: unknown): string => written(pieceOf(value), '');

interface Piece {
  /** The name of the member and a colon, if the value is a member of an object. Otherwise empty. */
  readonly name: string;
  /** The value on one line. Absent for an object or array that is too long for one line. */
  readonly line?: string;
  readonly members: readonly Piece[];
  readonly brackets: '[]' | '{}' | '';
}

/** Formats the inner values before the value that contains them, so that each value is visited once. */
function pieceOf(value: unknown, name = ''): Piece {
  if (typeof value !== 'object' || value === null) return { name, line: scalar(value), members: [], brackets: '' };
  if (Array.isArray(value)) return withLine({ name, members: value.map((item) => pieceOf(item)), brackets: '[]' });
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return withLine({
    name,
    members: entries.map(([key, member]) => pieceOf(member, `${scalar(key)}: `)),
    brackets: '{}',
  });
}

function withLine(piece: Piece): Piece {
  const { members, brackets } = piece;
  const parts: string[] = [];
  let leftChars = MAX_LINE_CHARS;
  for (const { name, line } of members) {
    if (line === undefined) return piece;
    leftChars -= name.length + line.length + 2;
    if (leftChars < 0) return piece;
    parts.push(name + line);
  }
  const inner = parts.join(', ');
  return { ...piece, line: brackets === '[]' ? `[${inner}]` : inner === '' ? '{}' : `{ ${inner} }` };
}

function written({ line, members, brackets }: Piece, indent: string): string {
  if (line !== undefined && (brackets === '' || indent.length + line.length <= MAX_LINE_CHARS)) return line;
  const deeper = indent.length < MAX_INDENT_CHARS ? `${indent}  ` : indent;
  const parts = members.map((member) => member.name + written(member, deeper));
  const isPlainList = brackets === '[]' && members.every((member) => member.brackets === '');
  const rows = isPlainList ? filledRows(parts, MAX_LINE_CHARS - deeper.length) : parts;
  return `${brackets.charAt(0)}\n${rows.map((row) => deeper + row).join(',\n')}\n${indent}${brackets.charAt(1)}`;
}

/** Joins parts into rows. Each row contains as many parts as `maxChars` allows. */
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

function scalar(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return typeof value === 'string' ? showHidden(text, asJsonEscape) : text;
}

/** The JSON escape of a character. A character above U+FFFF becomes two escapes. */
const asJsonEscape = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
