import type { Paint } from './style.ts';

/** The width of the output in columns, and whether and how it is coloured. */
export interface Page {
  /** Width of the terminal. {@link UNLIMITED} if the output is not a terminal; then nothing is wrapped. */
  readonly columns: number;
  readonly paint: Paint;
}

/** The width of an output that is a file or a pipe. Programs read it line by line, so each text stays on one line. */
export const UNLIMITED = Number.POSITIVE_INFINITY;

const MAX_RULE_COLUMNS = 80;

export const indented = ({ columns, paint }: Page, by: number): Page => ({
  columns: Math.max(20, columns - by),
  paint,
});

/** A horizontal line as wide as the terminal, at most 80 columns. */
export const ruleOf = ({ columns }: Pick<Page, 'columns'>): string => '─'.repeat(Math.min(columns, MAX_RULE_COLUMNS));
