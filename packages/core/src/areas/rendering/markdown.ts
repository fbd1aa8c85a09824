import { visibleBlock, visibleLines } from './hidden-characters.ts';

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
