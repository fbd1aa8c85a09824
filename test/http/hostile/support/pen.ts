import type { Role } from '@parley/core';

/** Who wrote a text, and into which field: a tool or an owner's operation, and the path in its input. */
interface Written {
  readonly author: Role;
  readonly field: string;
}

/** Writes the texts of one session. Each holds a mark of its own, by which it is known wherever it turns up. */
export interface Pen {
  /** The next text for a field. */
  write(author: Role, field: string, maxChars?: number): string;
  /** The same without line ends, for a field that takes none. */
  writeLine(author: Role, field: string, maxChars?: number): string;
  /** By mark. */
  readonly written: ReadonlyMap<string, Written>;
}

const MARK_PLACE = '§';
const MARK_CHARS = 9;
const LINE_ENDS = /[\n\r\u2028\u2029]+/g;

/** Finds the marks in a text. */
export const marksIn = (text: string): readonly string[] => text.match(/zz\d{4}zz/g) ?? [];

/** @param textAt the hostile text that the n-th field of the session gets */
export function createPen(textAt: (index: number) => string): Pen {
  const written = new Map<string, Written>();
  const next = (author: Role, field: string, from: (text: string) => string, maxChars: number): string => {
    const mark = `zz${String(written.size).padStart(4, '0')}zz`;
    const text = withMark(from(textAt(written.size)), mark, maxChars);
    written.set(mark, { author, field });
    return text;
  };
  return {
    write: (author, field, maxChars = 1_000) => next(author, field, (text) => text, maxChars),
    writeLine: (author, field, maxChars = 1_000) =>
      next(author, field, (text) => text.replace(LINE_ENDS, ' ').trim(), maxChars),
    written,
  };
}

/** The beginning of the text that has room beside the mark. */
function withMark(text: string, mark: string, maxChars: number): string {
  let kept = '';
  for (const char of text) {
    if (kept.length + char.length > maxChars - MARK_CHARS) break;
    kept += char;
  }
  return kept.includes(MARK_PLACE)
    ? kept.replace(MARK_PLACE, () => mark).replaceAll(MARK_PLACE, '')
    : `${kept} ${mark}`;
}
