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
  ...wrapText(visible(text), page.columns),
];
