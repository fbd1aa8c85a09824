import type { Page } from '../../../text/page.ts';
import { visible, visibleLine } from '../../../text/visible.ts';
import { wrapText } from '../../../text/width.ts';

/** A text below its name, after an empty line. */
export const sectionLines = (name: string, text: string, page: Page): string[] => [
  '',
  page.paint(['bold', 'cyan'], visibleLine(name)),
  ...wrapText(visible(text), page.columns),
];
