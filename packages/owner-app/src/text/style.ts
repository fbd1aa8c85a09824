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
