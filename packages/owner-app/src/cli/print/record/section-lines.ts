import type { Page } from '../../../text/page.ts';
import { visible, visibleLine } from '../../../text/visible.ts';
import { wrapText } from '../../../text/width.ts';

/** The head of a section, after an empty line. */
export const headLines = (text: string, page: Page): string[] => [
  '',
  ...wrapText(visibleLine(text), page.columns).map((line) => page.paint(['bold', 'cyan'], line)),
];

/** A text below its name, after an empty line. */
export const sectionLines = (name: string, text: string, page: Page): string[] => [
  '',
  page.paint(['bold', 'cyan'], visibleLine(name)),
  ...quotedLines(text, page),
];

/** The lines of a text, each with a bar, so that no line of it looks like a line of the program. */
export const quotedLines = (text: string, { columns, paint }: Page): string[] =>
  wrapText(visible(text), columns - 2).map((line) => `${paint('gray', '│')} ${line}`.trimEnd());
