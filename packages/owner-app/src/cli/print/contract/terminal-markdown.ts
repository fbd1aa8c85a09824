import { indented, type Page } from '../../../text/page.ts';
import { padText, textWidth, wrapText } from '../../../text/width.ts';
import { jsonLines } from './json-lines.ts';

/** Matches an escaped character, a hard line break, the marks of bold text, and a code span, which is not changed. */
const MARKUP = /\\([!-/:-@[-`{-~])|\\$|\*\*|(`+)(?!`).*?(?<!`)\2(?!`)/g;
/** Matches the first line of a code block: its indentation, its fence and its language. */
export const FENCE = /^( *)(`{3,})(\w*)$/;
const HEADING = /^(#{1,6}) (.*)$/;
const TABLE_RULE = /^\|(?: --- \|)+$/;

const GRAPH = 'task graph: see the console or --md';

/**
 * Formats the Markdown of a contract or a report for a person at a terminal: without escapes, each row of a
 * table as a record, JSON broken between its tokens only, and one line in place of the drawing of the tasks.
 */
export function terminalMarkdown(markdown: string, page: Page): string[] {
  const source = markdown.split('\n');
  const shown: string[] = [];
  for (let at = 0; at < source.length; ) {
    const { lines, next } = blockAt(source, at, page);
    shown.push(...lines);
    at = next;
  }
  return shown;
}

interface Block {
  readonly lines: readonly string[];
  /** The index of the line after the block. */
  readonly next: number;
}

function blockAt(source: readonly string[], at: number, page: Page): Block {
  const line = source[at] ?? '';
  const [, indent = '', fence, language = ''] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const end = indexFrom(source, at + 1, (one) => one.trim() === fence);
    return { lines: codeLines(source.slice(at + 1, end), { indent, language, page }), next: end + 1 };
  }
  if (TABLE_RULE.test(source[at + 1] ?? '')) {
    const end = indexFrom(source, at + 2, (one) => !one.startsWith('|'));
    return { lines: recordLines(cellsOf(line), source.slice(at + 2, end).map(cellsOf), page), next: end };
  }
  const [, , heading] = HEADING.exec(line) ?? [];
  if (heading !== undefined)
    return {
      lines: wrapText(plain(heading), page.columns).map((one) => page.paint(['bold', 'cyan'], one)),
      next: at + 1,
    };
  return { lines: textLines(plain(line), page), next: at + 1 };
}

function indexFrom(source: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const found = source.slice(from).findIndex(isEnd);
  return found === -1 ? source.length : from + found;
}

interface Code {
  readonly indent: string;
  readonly language: string;
  readonly page: Page;
}

function codeLines(code: readonly string[], { indent, language, page }: Code): string[] {
  if (language === 'mermaid') return [GRAPH];
  const { columns } = indented(page, indent.length + 2);
  return code
    .map((line) => line.slice(indent.length))
    .flatMap((line) => (language === 'json' ? jsonLines(line, columns) : wrapText(line, columns)))
    .map((line) => `${indent}  ${line}`);
}

/** The lines of a text. The lines of a list item after its first are indented like its text. */
function textLines(text: string, page: Page): string[] {
  const margin = /^ *(?:- |\d{1,9}\. )?/.exec(text)?.[0] ?? '';
  const [first = '', ...more] = wrapText(text.slice(margin.length), page.columns - margin.length, 'keep');
  return [margin + first, ...more.map((line) => ' '.repeat(margin.length) + line)].map((line) => line.trimEnd());
}

/** The rows of a table as records: the first cell, and below it the other cells with the names of their columns. */
function recordLines(heads: readonly string[], rows: readonly (readonly string[])[], page: Page): string[] {
  const width = Math.max(0, ...heads.slice(1).map(textWidth));
  return rows.flatMap(([id = '', ...cells], index) => [
    ...(index > 0 ? [''] : []),
    ...wrapText(id, page.columns, 'keep').map((line) => page.paint('bold', line)),
    ...cells.flatMap((cell, at) => (cell === '' ? [] : memberLines(padText(heads[at + 1] ?? '', width), cell, page))),
  ]);
}

function memberLines(label: string, text: string, page: Page): string[] {
  const indent = textWidth(label) + 4;
  const [first = '', ...more] = wrapText(text, page.columns - indent, 'keep');
  return [`  ${page.paint('dim', label)}  ${first}`, ...more.map((line) => ' '.repeat(indent) + line)];
}

/** The cells of a row. A vertical bar inside a cell has a backslash before it, also in a code span. */
const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.replaceAll('\\|', '|').trim()));

const plain = (line: string): string =>
  line.replace(MARKUP, (found, char?: string, ticks?: string) => (ticks ? found : (char ?? '')));
