import type { Role } from '@parley/core';

/** Author and field of a text. The field is the tool or operation, and the path in its input. */
interface Written {
  readonly author: Role;
  readonly field: string;
}

/** Makes the texts of one session. Each text contains a unique mark, by which a test finds the text in answers. */
export interface Pen {
  write(author: Role, field: string, maxChars?: number): string;
  /** Returns the next text for a field, without line breaks. */
  writeLine(author: Role, field: string, maxChars?: number): string;
  readonly written: ReadonlyMap<string, Written>;
}

const MARK_PLACE = '§';
const MARK_CHARS = 9;
const LINE_ENDS = /[\n\r\u2028\u2029]+/g;

export const marksIn = (text: string): readonly string[] => text.match(/zz\d{4}zz/g) ?? [];

/** Number of the text of a field, which no other field changes. The same field gets the next text each time. */
function numberOf(field: string): number {
  let number = 0;
  for (const char of field) number = (31 * number + char.charCodeAt(0)) % 1_000_003;
  return number;
}

/** Creates a pen. `textAt` returns the hostile text with a number, of which only the remainder of a division counts. */
export function createPen(textAt: (index: number) => string): Pen {
  const written = new Map<string, Written>();
  const times = new Map<string, number>();
  const next = (author: Role, field: string, from: (text: string) => string, maxChars: number): string => {
    const mark = `zz${String(written.size).padStart(4, '0')}zz`;
    const time = times.get(field) ?? 0;
    times.set(field, time + 1);
    const text = withMark(from(textAt(numberOf(field) + time)), mark, maxChars);
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

/** Inserts the mark by which tests find a text. Shortens the text so that both have at most `maxChars` characters. */
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
