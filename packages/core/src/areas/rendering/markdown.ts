import type { Contract } from '../document/contract.ts';

/**
 * Renders texts of agents as Markdown, so that no part of them becomes formatting. A character is escaped only where it
 * would have an effect, because people also read the source of the document. Every pattern takes linear time, because
 * agents choose the length of the texts.
 */

/** Replaces a line break where the text must be one line. */
const LINE_MARK = ' ⏎ ';
/** Matches a code span with single backticks. Agents may use this markup, because it can only show text as code. */
const SPAN_OR_TEXT = /(?<![`\\])`(?! *`)([^`]+)`(?!`)|`+|[^`]+/g;
const ACTIVE = new RegExp(
  [
    /\\(?=[!-/:-@[-`{-~]|$)/, // a backslash that would escape a character, or that would break the line at its end
    /`/,
    /(?<! )\*|\*(?! )/,
    /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
    /(?<=[^ ])~|~(?![\p{L}\p{N}/])/u, // an opening mark, also if the closing mark is missing
    /(?<=[[\]])[[(]/, // the address part of a link
    /<(?=[A-Za-z/!?])/,
    /&(?=#?\w{1,40};)/,
    /\$(?! )/, // mathematics
    /(?<=[ #])#$/, // the closing marks of a heading
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
const ACTIVE_AT_START = /^(?:[>[]|[-+](?= |$)|=(?==*$)|#(?=[# ]|$))/;
/** Matches a line that would make the line above it a heading, or would begin the rows of a table. */
const RULE = /^([|: ]*)-(?=[-:| ]*$)/;
const NUMBER_AT_START = /^(\d{1,9})([.)])(?= |$)/;
/** Matches texts that some Markdown renderers turn into links or mentions even if they are escaped. */
const LINKABLE = /:\/\/|www\.|@[^ ]/i;
const WRAPPING = new Set('()[]{}<>"\'.,;:!?*_~|');

export const inline = (text: string): string => filledLines(text).map(escapedLine).join(LINE_MARK);

/**
 * The text as one paragraph that keeps its line breaks.
 * @param indent the indentation of all lines after the first, for a text inside a list item
 */
export const lines = (text: string, indent = ''): string => filledLines(text).map(escapedLine).join(`\\\n${indent}`);

export const prose = (text: string): string =>
  visibleLines(text)
    .join('\n')
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((paragraph) => lines(paragraph))
    .join('\n\n');

/**
 * A text that must not change, such as a decision, as a code block after `head`. People and agents also read the source
 * of the document, where escapes would change the text.
 * @param indent the indentation of all lines after the first, for a text inside a list item
 */
export function exact(head: string, text: string, indent = ''): string {
  const block = fenced(text, 'text').replaceAll('\n', `\n${indent}`);
  return head === '' ? block : `${head}\n${indent}${block}`;
}

export const code = (text: string): string => span(filledLines(text).join(LINE_MARK));

export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

/**
 * The text as a code block. The fence has more backticks than any row of backticks in the text, so the text cannot end
 * the block.
 */
export function fenced(text: string, language: string): string {
  const block = visibleBlock(text);
  const fence = '`'.repeat(Math.max(3, longestTicks(block) + 1));
  return `${fence}${language}\n${block}\n${fence}`;
}

/** The cells must be escaped Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(inCell).join(' | ')} |`).join('\n');
}

/** The items must be escaped Markdown already; lines of an item after its first must be indented by two spaces. */
export const bullets = (items: readonly string[], indent = ''): string =>
  items.map((item) => `${indent}- ${item}`).join('\n');

const filledLines = (text: string): string[] => visibleLines(text).filter(Boolean);

function escapedLine(line: string): string {
  const parts: string[] = [];
  for (const [found, inTicks] of line.matchAll(SPAN_OR_TEXT)) {
    if (inTicks !== undefined) parts.push(span(inTicks.trim()));
    else for (const part of splitAtLinks(found)) parts.push(part.isLink ? span(part.text) : escaped(part.text));
  }
  const text = parts.join('').replace(RULE, '$1\\-').replace(NUMBER_AT_START, '$1\\$2');
  return ACTIVE_AT_START.test(text) ? `\\${text}` : text;
}

const escaped = (text: string): string => text.replace(ACTIVE, '\\$&');

interface Part {
  readonly text: string;
  readonly isLink: boolean;
}

function splitAtLinks(text: string): Part[] {
  if (!LINKABLE.test(text)) return [{ text, isLink: false }];
  const parts: Part[] = [];
  let plain = '';
  for (const word of wordsIn(text)) {
    const [before, link, after] = LINKABLE.test(word) ? unwrapped(word) : [word, '', ''];
    plain += before;
    if (link === '') continue;
    parts.push({ text: plain, isLink: false }, { text: link, isLink: true });
    plain = after;
  }
  return [...parts, { text: plain, isLink: false }];
}

/** Maximum number of words in a placeholder that is part of an address. */
const PLACEHOLDER_WORDS = 8;

/**
 * Splits a text into words and the blanks between them. An address that contains a placeholder is one word even if the
 * placeholder contains blanks: `http://127.0.0.1:<the port>/v1`.
 */
function wordsIn(text: string): string[] {
  const pieces = text.split(/( +)/);
  const words: string[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] ?? '';
    const end = isOpenAddress(piece) ? closingPiece(pieces, at) : at;
    words.push(pieces.slice(at, end + 1).join(''));
    at = end;
  }
  return words;
}

/** Whether a word is an address in which a placeholder begins but does not end. */
function isOpenAddress(word: string): boolean {
  const scheme = word.indexOf('://');
  const opened = word.lastIndexOf('<');
  return scheme !== -1 && opened > scheme && !word.includes('>', opened);
}

/**
 * The index of the word in which the placeholder ends. If the placeholder does not end within 8 words, returns `at`.
 */
function closingPiece(pieces: readonly string[], at: number): number {
  const near = pieces.slice(at + 1, at + 1 + 2 * PLACEHOLDER_WORDS);
  const found = near.findIndex((piece) => /[<>]/.test(piece));
  return found !== -1 && near[found]?.includes('>') && !near[found]?.includes('<') ? at + 1 + found : at;
}

/** Separates a word from the punctuation around it, because the punctuation belongs to the sentence. */
function unwrapped(word: string): [before: string, core: string, after: string] {
  let start = 0;
  let end = word.length;
  while (start < end && WRAPPING.has(word.charAt(start))) start += 1;
  while (end > start && WRAPPING.has(word.charAt(end - 1)) && !closesInside(word, start, end)) end -= 1;
  return [word.slice(0, start), word.slice(start, end), word.slice(end)];
}

/** Whether the word's last character ends a placeholder that began inside the word, as in `https://a.example/<id>`. */
const closesInside = (word: string, start: number, end: number): boolean =>
  word.charAt(end - 1) === '>' && word.indexOf('<', start) !== -1 && word.indexOf('<', start) < end;

function span(content: string): string {
  if (content === '') return '';
  const ticks = '`'.repeat(longestTicks(content) + 1);
  const pad = content.startsWith('`') || content.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${content}${pad}${ticks}`;
}

function longestTicks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * Escapes the vertical bars of a table cell. A bar after an odd number of backslashes becomes `\u{7c}`, because
 * Markdown has no other way to show it in a cell.
 */
const inCell = (markdown: string): string =>
  markdown.replace(/(?<!\\)(\\*)\|/g, (_, slashes: string) =>
    slashes.length % 2 === 0 ? `${slashes}\\|` : `${slashes}\\u{7c}`,
  );

/**
 * Matches exactly the line breaks that JavaScript counts as white space. If it matched others too, such as U+0085, a
 * text that consists of them would be accepted as not blank, but rendered as blank.
 */
const LINE_BREAK = /\r\n|[\n\r\v\f\u2028\u2029]/;
/** Characters that are invisible or that change the direction of other text. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;
const JOINER = '\u200d';
const AS_EMOJI = '\ufe0f';
const EMOJI_BEFORE = /[\p{Extended_Pictographic}#*\d]$/u;
const EMOJI_OR_TONE_BEFORE = /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;

/** Replaces the hidden characters of a line by visible escapes. Hidden characters inside an emoji stay. */
const showHidden = (line: string, shown: (char: string) => string): string =>
  line.replace(HIDDEN, (char, at: number) => (isPartOfEmoji(line, char, at) ? char : shown(char)));

function isPartOfEmoji(line: string, char: string, at: number): boolean {
  if (char === AS_EMOJI) return EMOJI_BEFORE.test(line.slice(Math.max(0, at - 2), at));
  if (char !== JOINER) return false;
  return EMOJI_OR_TONE_BEFORE.test(line.slice(Math.max(0, at - 4), at)) && EMOJI_AFTER.test(line.slice(at + 1, at + 3));
}

const asCodePoint = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Splits a text into trimmed lines, which may be empty. Every kind of blank becomes a space, and hidden characters
 * become `\u{…}`.
 */
export const visibleLines = (text: string): string[] =>
  text.split(LINE_BREAK).map((line) => showHidden(line.replace(/[\t\p{Zs}]/gu, ' '), asCodePoint).trim());

/** Replaces the hidden characters of a text by `\u{…}`, and keeps its lines and their indentation. */
export const visibleBlock = (text: string): string =>
  text
    .split(LINE_BREAK)
    .map((line) => showHidden(line, (char) => (char === '\t' ? char : asCodePoint(char))))
    .join('\n');

/** A text on one line, cut at a maximum length. */
export function visibleLabel(text: string, maxChars: number): string {
  const chars = [
    ...visibleLines(text)
      .filter(Boolean)
      .join(' ')
      .slice(0, 2 * maxChars + 2),
  ];
  return chars.length > maxChars ? `${chars.slice(0, maxChars - 1).join('')}…` : chars.join('');
}

export const NONE = 'None.';

/** Joins the parts of a document with blank lines, and leaves out empty parts. */
export const stack = (...parts: readonly string[]): string => parts.filter(Boolean).join('\n\n');

export const tableOrNone = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length > 0 ? table(head, rows) : NONE;

export const listOrNone = (items: readonly string[]): string => (items.length > 0 ? bullets(items) : NONE);

export const textList = (texts: readonly string[]): string => listOrNone(texts.map((text) => lines(text, '  ')));

export const codesOrNone = (ids: readonly string[]): string => (ids.length > 0 ? codes(ids) : 'none');

export const numbered = (texts: readonly string[]): string =>
  texts.length > 0 ? texts.map((text, index) => `${index + 1}. ${lines(text, '   ')}`).join('\n') : NONE;

export const idAndTitle = ({ id, title }: { readonly id: string; readonly title: string }): string =>
  `${code(id)} ${inline(title)}`;

/** The kind of record (task, test or gate) for each id that `covered_by` can contain. */
export function kindsOf({ tasks, tests, gates }: Contract): ReadonlyMap<string, string> {
  const named = (kind: string, items: readonly { readonly id: string }[]) =>
    items.map(({ id }): [string, string] => [id, kind]);
  return new Map([...named('gate', gates), ...named('test', tests), ...named('task', tasks)]);
}

/** Ids with their kinds, such as "task `x`, test `y`". An unknown id is shown without a kind. */
export const covering = (ids: readonly string[], kinds: ReadonlyMap<string, string>): string =>
  ids.map((id) => [kinds.get(id), code(id)].filter(Boolean).join(' ')).join(', ');

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
