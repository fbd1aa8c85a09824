import { visibleBlock, visibleLines } from './hidden-characters.ts';

/* Renders texts of agents as Markdown that shows them without effect. Escapes a character only where it would act, because people also read the source. Every pattern runs in linear time, because agents choose the length of the texts. */

/** Replaces a line end in a place that has a single line. */
const LINE_MARK = ' ⏎ ';
/** Agents may use one kind of markup: a pair of single backticks, which only shows text as code. */
const SPAN_OR_TEXT = /(?<![`\\])`(?! *`)([^`]+)`(?!`)|`+|[^`]+/g;
const ACTIVE = new RegExp(
  [
    /\\(?=[!-/:-@[-`{-~]|$)/, // an escape, or a line break at the end of a line
    /`/,
    /(?<! )\*|\*(?! )/,
    /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
    /(?<=[^ ])~|~(?![\p{L}\p{N}/])/u, // an opening mark without a closing mark
    /(?<=[[\]])[[(]/, // the target of a link
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
/** A line that turns the line above into a heading, or begins the rows of a table. */
const RULE = /^([|: ]*)-(?=[-:| ]*$)/;
const NUMBER_AT_START = /^(\d{1,9})([.)])(?= |$)/;
/** Texts that some Markdown renderers turn into links or mentions even if escaped. */
const LINKABLE = /:\/\/|www\.|@[^ ]/i;
const WRAPPING = new Set('()[]{}<>"\'.,;:!?*_~|');

/** The text on one line of Markdown. */
export const inline = (text: string): string => filledLines(text).map(escapedLine).join(LINE_MARK);

/** The text with its line breaks, as one paragraph; `indent` if it is inside a list item. */
export const lines = (text: string, indent = ''): string => filledLines(text).map(escapedLine).join(`\\\n${indent}`);

/** The text with its line breaks and paragraphs. */
export const prose = (text: string): string =>
  visibleLines(text)
    .join('\n')
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((paragraph) => lines(paragraph))
    .join('\n\n');

/** The text as a code span. */
export const code = (text: string): string => span(filledLines(text).join(LINE_MARK));

export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

/** The text as a code block, with a fence that the text cannot close. */
export function fenced(text: string, language: string): string {
  const block = visibleBlock(text);
  const fence = '`'.repeat(Math.max(3, longestTicks(block) + 1));
  return `${fence}${language}\n${block}\n${fence}`;
}

/** A table; the cells are lines of Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(inCell).join(' | ')} |`).join('\n');
}

/** A list. Each item is Markdown already; the further lines of an item are indented by two. */
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
  for (const word of text.split(/( +)/)) {
    const [before, link, after] = LINKABLE.test(word) ? unwrapped(word) : [word, '', ''];
    plain += before;
    if (link === '') continue;
    parts.push({ text: plain, isLink: false }, { text: link, isLink: true });
    plain = after;
  }
  return [...parts, { text: plain, isLink: false }];
}

/** Splits off the punctuation around a word, which belongs to the sentence. */
function unwrapped(word: string): [before: string, core: string, after: string] {
  let start = 0;
  let end = word.length;
  while (start < end && WRAPPING.has(word.charAt(start))) start += 1;
  while (end > start && WRAPPING.has(word.charAt(end - 1))) end -= 1;
  return [word.slice(0, start), word.slice(start, end), word.slice(end)];
}

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

/** Escapes bars for a table cell. A cell cannot show a bar after an odd number of backslashes, so `\u{7c}` replaces it. */
const inCell = (markdown: string): string =>
  markdown.replace(/(?<!\\)(\\*)\|/g, (_, slashes: string) =>
    slashes.length % 2 === 0 ? `${slashes}\\|` : `${slashes}\\u{7c}`,
  );
