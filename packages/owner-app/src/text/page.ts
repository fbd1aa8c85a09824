import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Colours a text. If colours are off, returns the text unchanged. */
export type Paint = (format: Format, text: string) => string;

export const createPaint = (hasColours: boolean): Paint =>
  hasColours ? (format, text) => styleText(format, text, { validateStream: false }) : (_format, text) => text;

/** Whether the output is coloured. If neither NO_COLOR nor FORCE_COLOR is set, only a terminal gets colours. */
export function wantsColours(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0';
  return isTerminal && environment.TERM !== 'dumb';
}

/** The width of the output in columns, and the function that colours the output. */
export interface Page {
  /** Width of the terminal. `UNLIMITED` if the output is not a terminal, so that nothing is wrapped. */
  readonly columns: number;
  readonly paint: Paint;
}

/** The width of a file or a pipe. Programs read such an output line by line, so each text stays on one line. */
export const UNLIMITED = Number.POSITIVE_INFINITY;

const MAX_RULE_COLUMNS = 80;

export const indented = ({ columns, paint }: Page, by: number): Page => ({
  columns: Math.max(20, columns - by),
  paint,
});

/** A horizontal line as wide as the terminal, at most 80 columns. */
export const ruleOf = ({ columns }: Pick<Page, 'columns'>): string => '─'.repeat(Math.min(columns, MAX_RULE_COLUMNS));
