/*
 * The time of the Markdown parser grows with the square of the number of marks, such as `*` and `[`, in a paragraph, and
 * with the square of the depth of quotations and lists. In the console it runs in the main thread of the page. Within the
 * limits below, parsing takes at most about half a second on a slow computer.
 */

/**
 * Maximum of `MarkdownWork.total`: marks, lines and columns of indentation, weighted by the time that the parser needs
 * for them.
 */
const MAX_TOTAL = 6_000;
/** Maximum number of Markdown marks between two blank lines. */
const MAX_IN_PARAGRAPH = 1_000;
/**
 * Limit for nested quotations and lists. For each line, the number of marks such as `>` and `-` at its beginning is
 * squared. `MAX_NESTING` is the maximum of the sum of these squares.
 */
const MAX_NESTING = 10_000;

const LINE_END = /\r\n|\r|\n/;
const MARK = /[[\]*_~`<&\\|@!#]/g;
/**
 * Matches a web address. Each of its punctuation characters counts as a Markdown mark, because the parser tests at each
 * of them whether the address ends.
 */
const ADDRESS = /(?:https?:|www\.)\S*/gi;
const PUNCTUATION = /[^\w\s]|_/g;
const LEAD = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const CONTAINER = /[>*+-]|\d+/g;
const INDENT = /^[ \t]*/;

export interface MarkdownWork {
  readonly total: number;
  /** Number of Markdown marks in the paragraph that contains the most of them. */
  readonly inParagraph: number;
  readonly nesting: number;
}

/** Estimates how much work the parser has with a text. */
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

/** Whether the text can be parsed quickly enough to be shown as Markdown. */
export function isQuickToParse(text: string): boolean {
  const { total, inParagraph, nesting } = markdownWork(text);
  return total <= MAX_TOTAL && inParagraph <= MAX_IN_PARAGRAPH && nesting <= MAX_NESTING;
}

/** A specification is parsed once, by a command: it may be ten times as long as a text of the console. */
const MAX_SPECIFICATION = 60_000;

/** Whether a specification can be parsed within a few seconds. */
export function isParsable(text: string): boolean {
  const { total, inParagraph, nesting } = markdownWork(text);
  return total <= MAX_SPECIFICATION && inParagraph <= MAX_IN_PARAGRAPH && nesting <= MAX_NESTING;
}

function marksIn(line: string): number {
  let marks = count(line, MARK);
  for (const [address] of line.matchAll(ADDRESS)) marks += count(address, PUNCTUATION);
  return marks;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
