import { indented, type Page } from '../../../text/page.ts';
import { padText, textWidth, wrapText } from '../../../text/table.ts';

/** Matches an escaped character, a hard line break, the marks of bold text, and backticks, with which a code span can begin. */
const MARKUP = /\\([!-/:-@[-`{-~])|\\$|\*\*|`+/g;
/** Matches the first line of a code block, also of one in a list: what is before its fence, its fence and its language. */
export const FENCE = /^( *(?:- )?)(`{3,})(\w*)$/;
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
  for (let at = from; at < source.length; at += 1) if (isEnd(source[at] ?? '')) return at;
  return source.length;
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
    .map((line, index) => `${index === 0 ? indent : indent.replace('-', ' ')}  ${line}`);
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

/** The text of an item, a heading or a row of a table on one line. */
export const itemText = (line: string): string =>
  line.startsWith('|') ? cellsOf(line).filter(Boolean).join('  ') : plain(line.replace(/^(?:#+|-(?: \[ \])?) /, ''));

/** A line without escapes and marks. Code spans are not changed. */
function plain(line: string): string {
  const markup = new RegExp(MARKUP);
  const endOf = spanEnds(line);
  let [shown, at] = ['', 0];
  for (let found = markup.exec(line); found; found = markup.exec(line)) {
    const { 0: text, 1: char = '', index } = found;
    const end = text.startsWith('`') ? endOf(index, text.length) : markup.lastIndex;
    shown += line.slice(at, index) + (text.startsWith('`') ? line.slice(index, end) : char);
    at = markup.lastIndex = end;
  }
  return shown + line.slice(at);
}

/**
 * Finds the end of the code span that backticks begin: after the next run of as many backticks, or of as many as the last of them.
 * Without such a run the backticks are text. To be called from left to right: each run is looked at once, so that a line takes a time
 * that grows with its length.
 */
function spanEnds(line: string): (start: number, length: number) => number {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of [...line.matchAll(/`+/g)].toReversed())
    runs
      .set(run.length, runs.get(run.length) ?? [])
      .get(run.length)
      ?.push(index);
  return (start, length) => {
    for (let count = length; count > 0; count -= 1) {
      const later = runs.get(count) ?? [];
      while ((later.at(-1) ?? line.length) < start + length) later.pop();
      const close = later.at(-1);
      if (close !== undefined) return close + count;
    }
    return start + length;
  };
}

/** Matches a string with the punctuation after it, or other text up to the next string or blank. */
const TOKENS = /"(?:[^"\\]|\\.)*"?[^\s"]*|[^\s"]+/g;

/**
 * Wraps a line of JSON between its tokens. A string that is longer than the line is not broken, so that a person can
 * copy the string.
 */
function jsonLines(line: string, columns: number): string[] {
  if (textWidth(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const [token] of line.matchAll(TOKENS)) {
    const isFirst = current.trim() === '';
    if (!isFirst && textWidth(`${current} ${token}`) > columns) {
      lines.push(current);
      current = `${indent}  ${token}`;
    } else current = isFirst ? current + token : `${current} ${token}`;
  }
  return [...lines, current];
}
