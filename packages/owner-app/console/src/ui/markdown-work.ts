/*
 * The parser of Markdown runs in the thread of the page, and its time grows with the square of the marks in a
 * paragraph and of the depth of quotations and lists. The limits keep it below about half a second on a slow computer.
 */

/** Marks, lines and columns of indentation of the whole text, weighed by the time that each takes. */
const MAX_TOTAL = 6_000;
/** Marks between two blank lines. */
const MAX_IN_PARAGRAPH = 1_000;
/** Of each line, the square of the quotations and list items that begin it, added up. */
const MAX_NESTING = 10_000;

const LINE_END = /\r\n|\r|\n/;
const MARK = /[[\]*_~`<&\\|@!#]/g;
/** The parser looks at each punctuation mark of an address as its possible end. */
const ADDRESS = /(?:https?:|www\.)\S*/gi;
const PUNCTUATION = /[^\w\s]|_/g;
const LEAD = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const CONTAINER = /[>*+-]|\d+/g;
const INDENT = /^[ \t]*/;

export interface MarkdownWork {
  readonly total: number;
  /** The most of any paragraph. */
  readonly inParagraph: number;
  readonly nesting: number;
}

/** What the parser would have to do with the text, counted in one pass over it. */
export function markdownWork(text: string): MarkdownWork {
  let total = 0;
  let inParagraph = 0;
  let nesting = 0;
  let marks = 0;
  for (const line of text.split(LINE_END)) {
    const isBlank = line.trim() === '';
    const inLine = marksIn(line);
    marks = isBlank ? 0 : marks + inLine;
    total += inLine + 2 + (INDENT.exec(line)?.[0].length ?? 0) / 2;
    inParagraph = Math.max(inParagraph, marks);
    nesting += count(LEAD.exec(line)?.[0] ?? '', CONTAINER) ** 2;
  }
  return { total, inParagraph, nesting };
}

/** Whether the text is parsed in a moment, so that it can be shown as Markdown. */
export function isQuickToParse(text: string): boolean {
  const { total, inParagraph, nesting } = markdownWork(text);
  return total <= MAX_TOTAL && inParagraph <= MAX_IN_PARAGRAPH && nesting <= MAX_NESTING;
}

function marksIn(line: string): number {
  let marks = count(line, MARK);
  for (const [address] of line.matchAll(ADDRESS)) marks += count(address, PUNCTUATION);
  return marks;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
