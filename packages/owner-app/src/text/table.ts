import { isRecord } from '@parley/core/json';
import { eastAsianWidth } from 'get-east-asian-width';
import { indented, type Page, type Paint } from './page.ts';
import { visible, visibleLine } from './visible.ts';

/**
 * Matches characters that take no column: combining marks, joiners, and the selector for the text form of an emoji.
 * Marks that are newer than Unicode 13 or outside of the first plane are not matched, because older terminals give them
 * a column. The selector for the emoji form is not matched, because it makes a narrow character wide.
 */
const WITHOUT_COLUMN =
  /(?![\u0897-\u089f]|[\u1abf-\u1aff]|[\u{10000}-\u{10ffff}]|\u0b55|\u0c3c|\u0ece|\u1dfa|\ua82c|\ufe0f)[\p{Mn}\p{Me}\u200c\u200d]/u;

/**
 * Matches characters that some terminals draw two columns wide, although Unicode defines one column: numbers in
 * squares, pictures, halves of flags, unassigned code points.
 */
const MAYBE_WIDE = /[\u3248-\u324f\u{1f000}-\u{1faff}\p{Cn}]/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The largest number of columns that a text without escape sequences can take in a terminal. The widths of all code
 * points are added, because terminals differ in which code points they combine. If the result were too small, the
 * terminal would break the line, and the rest of an agent's text could look like output of the program.
 */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const letter of text) columns += letterWidth(letter);
  return columns;
}

function letterWidth(letter: string): number {
  if (WITHOUT_COLUMN.test(letter)) return 0;
  return MAYBE_WIDE.test(letter) ? 2 : eastAsianWidth(letter.codePointAt(0) ?? 0);
}

/**
 * Wraps a text to a width. Line breaks in the text stay.
 *
 * @param longWords `cut` splits a word that is longer than a line; `keep` does not, so that a person can copy the word
 */
export function wrapText(text: string, columns: number, longWords: 'cut' | 'keep' = 'cut'): string[] {
  const width = Math.max(10, columns);
  return text.split('\n').flatMap((line) => wrapLine(line.replace(/\t/g, '  '), width, longWords));
}

function wrapLine(line: string, width: number, longWords: 'cut' | 'keep'): string[] {
  if (textWidth(line) <= width) return [line.trimEnd()];
  const lines: string[] = [];
  let current = '';
  // Added up: measured anew for each word, a line of blanks would take a time that grows with the square of its length.
  let used = 0;
  const words = line.split(/(?<=\s)/);
  for (const word of longWords === 'cut' ? words.flatMap((part) => cutWord(part, width)) : words) {
    const letters = word.trimEnd();
    if (current !== '' && letters !== '' && used + textWidth(letters) > width) {
      lines.push(current.trimEnd());
      current = '';
      used = 0;
    }
    current += word;
    used += textWidth(word);
  }
  return [...lines, current.trimEnd()];
}

function cutWord(word: string, width: number): string[] {
  if (textWidth(word.trimEnd()) <= width) return [word];
  const pieces: string[] = [''];
  let used = 0;
  for (const part of uncutParts(word, width)) {
    const columns = textWidth(part);
    used += columns;
    if (used > width) {
      pieces.push('');
      used = columns;
    }
    pieces[pieces.length - 1] += part;
  }
  return pieces;
}

/** Characters that are segmented at a time, because the time of a segmenter grows with the square of the length. */
const SEGMENTED_CHARS = 1_000;

/** The graphemes of a text. A grapheme at the end of `SEGMENTED_CHARS` characters may be split into code points. */
function* graphemesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const isPair = (text.codePointAt(from + SEGMENTED_CHARS - 1) ?? 0) > 0xffff;
    const piece = text.slice(from, from + SEGMENTED_CHARS + (isPair ? 1 : 0));
    for (const { segment } of graphemes.segment(piece)) yield segment;
    from += piece.length;
  }
}

/**
 * The graphemes of a word. A grapheme that is wider than a line, such as a long run of Hangul initial consonants, is
 * split into code points.
 */
const uncutParts = (word: string, width: number): string[] =>
  Array.from(graphemesOf(word)).flatMap((grapheme) => (textWidth(grapheme) > width ? [...grapheme] : [grapheme]));

/** Shortens a text to at most the given number of columns. A shortened text ends with an ellipsis. */
export function shortenText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let shown = '';
  let used = textWidth('…');
  for (const grapheme of graphemesOf(text)) {
    used += textWidth(grapheme);
    if (used > columns) break;
    shown += grapheme;
  }
  return `${shown.trimEnd()}…`;
}

export const padText = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));

/** Space between two columns, in terminal columns. */
const GAP = 2;
/**
 * Minimum width of the flexible column, in terminal columns. If its width would be smaller, the texts of the flexible
 * column are printed below their rows.
 */
const MIN_FLEXIBLE_COLUMNS = 20;
/** Width to which the flexible column is shortened before `alsoShortened` is shortened too, in terminal columns. */
const FIRST_SHORTENED_COLUMNS = 24;
/** Minimum width of a shortened text, in terminal columns. A shorter text would not be recognizable. */
export const MIN_SHORTENED_COLUMNS = 8;
const MAX_LABEL_COLUMNS = 24;
const INDENT = '  ';

export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Index of the column whose texts are wrapped if the terminal is too narrow for the table. Default: the last column. */
  readonly flexible?: number;
  /** Whether the texts of the flexible column are shortened instead of wrapped, as in a column of titles. */
  readonly isShortened?: boolean;
  /** Index of another column that is shortened too if `isShortened` is true and 24 columns for `flexible` are not enough. */
  readonly alsoShortened?: number;
  /** Returns a shortened cell of the column `alsoShortened`. Default: the beginning of the cell. */
  readonly shortenedCell?: (row: number, columns: number) => string;
}

/**
 * Formats a table. If the terminal is narrower than the table, the first of these forms that fits is used:
 *
 * - the texts of the flexible column are shortened if `isShortened` is true, otherwise wrapped;
 * - the texts of the flexible column are printed below their rows;
 * - each cell is printed on its own line.
 */
export function tableLines(
  {
    heads,
    rows: given,
    flexible = heads.length - 1,
    isShortened = false,
    alsoShortened = flexible,
    shortenedCell,
  }: Table,
  { columns, paint }: Page,
): string[] {
  const rows = given.map((row) => row.map(visibleLine));
  const natural = heads.map((head, index) =>
    Math.max(textWidth(head), ...rows.map((row) => textWidth(row[index] ?? ''))),
  );
  const excess = widthOf(natural) - columns;
  if (excess <= 0) return [paint('bold', lineOf(heads, natural)), ...rows.map((row) => lineOf(row, natural))];
  const rest = (natural[flexible] ?? 0) - excess;
  const shortened = isShortened ? shortenedWidths(natural, [flexible, alsoShortened], excess) : null;
  if (shortened) {
    const cutLine = (cells: readonly string[]): string =>
      lineOf(
        cells.map((cell, index) => shortenText(cell, shortened[index] ?? 0)),
        shortened,
      );
    const cellOf = (cell: string, row: number): string =>
      shortenedCell ? visibleLine(shortenedCell(row, shortened[alsoShortened] ?? 0)) : cell;
    return [
      paint('bold', cutLine(heads)),
      ...rows.map((cells, row) =>
        cutLine(cells.map((cell, index) => (index === alsoShortened ? cellOf(cell, row) : cell))),
      ),
    ];
  }
  if (rest < MIN_FLEXIBLE_COLUMNS) {
    const others = natural.filter((_, index) => index !== flexible);
    if (others.length === 0 || widthOf(others) > columns)
      return rows.flatMap((row) => stackedLines(row, heads, columns, paint));
    const below = (cells: readonly string[]) => hangingLines(cells, { flexible, widths: others, columns });
    return [...below(heads).map((line) => paint('bold', line)), ...rows.flatMap(below)];
  }
  const widths = natural.map((width, index) => (index === flexible ? rest : width));
  return [
    ...wrappedLines(heads, widths, flexible).map((line) => paint('bold', line)),
    ...rows.flatMap((row) => wrappedLines(row, widths, flexible)),
  ];
}

/**
 * Takes `excess` columns from the given columns: from the first until it has `FIRST_SHORTENED_COLUMNS`, then each time from
 * the widest of them. Null if a column would be narrower than `MIN_SHORTENED_COLUMNS`.
 */
function shortenedWidths(
  natural: readonly number[],
  cut: readonly [number, ...number[]],
  excess: number,
): number[] | null {
  const widths = [...natural];
  const widthAt = (index: number): number => widths[index] ?? 0;
  for (let left = excess; left > 0; left -= 1) {
    const widest = cut.reduce((one, other) => (widthAt(other) > widthAt(one) ? other : one));
    const next = widthAt(cut[0]) > FIRST_SHORTENED_COLUMNS ? cut[0] : widest;
    widths[next] = widthAt(next) - 1;
  }
  const isTooNarrow = cut.some((index) => widthAt(index) < Math.min(MIN_SHORTENED_COLUMNS, natural[index] ?? 0));
  return isTooNarrow ? null : widths;
}

/** Width of a row whose cells have the given widths, in terminal columns. */
export const widthOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, -GAP);

/** A row with aligned cells. */
export const lineOf = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, index) => padText(cell, widths[index] ?? 0))
    .join(' '.repeat(GAP))
    .trimEnd();

/**
 * A row whose flexible cell is wrapped. Further lines are indented, so that no text of an agent begins at the left
 * edge, where it could look like another row.
 */
function wrappedLines(row: readonly string[], widths: readonly number[], flexible: number): string[] {
  const width = (widths[flexible] ?? 0) - (flexible === 0 ? INDENT.length : 0);
  const parts = wrapText(row[flexible] ?? '', width);
  return parts.map((part, line) =>
    lineOf(
      row.map((cell, index) => (index !== flexible ? (line === 0 ? cell : '') : continued(part, line, flexible))),
      widths,
    ),
  );
}

const continued = (part: string, line: number, flexible: number): string =>
  flexible === 0 && line > 0 ? `${INDENT}${part}` : part;

interface Hanging {
  readonly flexible: number;
  /** Widths of all columns except the flexible column. */
  readonly widths: readonly number[];
  readonly columns: number;
}

/** A row without its flexible cell. The text of the flexible cell is on the lines below the row. */
function hangingLines(row: readonly string[], { flexible, widths, columns }: Hanging): string[] {
  const others = row.filter((_, index) => index !== flexible);
  const text = row[flexible] ?? '';
  const below = text === '' ? [] : wrapText(text, columns - INDENT.length);
  return [lineOf(others, widths), ...below.map((line) => `${INDENT}${line}`)];
}

/** A row in which each cell has its own lines. The cells after the first are indented. */
function stackedLines(row: readonly string[], heads: readonly string[], columns: number, paint: Paint): string[] {
  const labelColumns = Math.min(MAX_LABEL_COLUMNS, Math.max(...heads.map(textWidth)) + INDENT.length + GAP);
  return row.flatMap((cell, index) => {
    const lead = index === 0 ? '' : INDENT;
    const label = padText((heads[index] ?? '').trim(), labelColumns - lead.length);
    const [first = '', ...more] = wrapText(`${label}${cell}`, columns - lead.length - INDENT.length);
    const named = first.startsWith(label) ? `${paint('bold', label)}${first.slice(label.length)}` : first;
    return [`${lead}${named}`, ...more.map((line) => `${lead}${INDENT}${line}`)];
  });
}

/** The most columns of a table. A list of records with more members is printed one record below the other. */
const MOST_HEADS = 100;

type Members = readonly (readonly [string, unknown])[];

/** Formats any answer of the service. Each member is on a separate line. A list of flat objects becomes a table. */
export function outlineLines(value: unknown, page: Page): string[] {
  if (isRecord(value)) return memberLines(Object.entries(value), page);
  if (Array.isArray(value)) return listLines(value, page);
  return wrapText(scalarText(value), page.columns, 'keep');
}

function memberLines(members: Members, page: Page): string[] {
  const labels = members.filter(([, value]) => isScalar(value)).map(([name]) => textWidth(labelOf(name)));
  const width = Math.min(MAX_LABEL_COLUMNS, Math.max(0, ...labels));
  return members.flatMap(([name, value]) =>
    isScalar(value) ? scalarLines(name, value, width, page) : sectionLines(name, value, page),
  );
}

function scalarLines(name: string, value: unknown, width: number, page: Page): string[] {
  const label = padText(labelOf(name), width);
  if (textWidth(label) > Math.max(MAX_LABEL_COLUMNS, page.columns / 2)) return sectionLines(name, value, page);
  const [first = '', ...more] = wrapText(scalarText(value), page.columns - textWidth(label) - 2, 'keep');
  return [`${page.paint('dim', label)}  ${first}`, ...more.map((line) => `${' '.repeat(textWidth(label))}  ${line}`)];
}

function sectionLines(name: string, value: unknown, page: Page): string[] {
  const [first = '', ...more] = wrapText(labelOf(name), page.columns - 2);
  const head = [first, ...more.map((line) => `  ${line}`)].map((line) => page.paint('dim', line));
  return [...head, ...outlineLines(value, indented(page, 2)).map((line) => `  ${line}`)];
}

function listLines(items: readonly unknown[], page: Page): string[] {
  if (items.length > 0 && items.every(isFlat) && headsOf(items).length <= MOST_HEADS)
    return tableLines(tableOf(items), page);
  return items.flatMap((item) => {
    const [first = '', ...more] = outlineLines(item, indented(page, 2));
    return [`- ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

const headsOf = (items: readonly object[]): string[] => [...new Set(items.flatMap((item) => Object.keys(item)))];

function tableOf(items: readonly Readonly<Record<string, unknown>>[]): Table {
  const heads = headsOf(items);
  const rows = items.map((item) => heads.map((head) => scalarText(item[head]).replaceAll('\n', ' ')));
  const widths = heads.map((_, index) => Math.max(...rows.map((row) => textWidth(row[index] ?? ''))));
  const widest = widths.indexOf(Math.max(...widths));
  // The widest column is the last one, so that its long texts do not separate the other columns.
  const moved = (cells: readonly string[]) => [
    ...cells.filter((_, index) => index !== widest),
    ...cells.slice(widest, widest + 1),
  ];
  return { heads: moved(heads.map(labelOf)), rows: rows.map(moved) };
}

/** The name of a member as a label. Agents can choose names of members, so unsafe characters are replaced. */
const labelOf = (name: string): string => visibleLine(name);

const isFlat = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.values(value).every(isScalar);

/**
 * Whether a value is printed beside its label and not below it: a text, a number, a boolean, null, or a list of short
 * values.
 */
const isScalar = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isShort) : typeof value !== 'object' || value === null;

const isShort = (item: unknown): boolean => (typeof item === 'string' ? item.length <= 30 : typeof item !== 'object');

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(scalarText).join(', ');
  return visible(String(value));
}
