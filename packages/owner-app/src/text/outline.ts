import { isRecord } from '@parley/core/json';
import { indented, type Page } from './page.ts';
import { type Table, tableLines } from './table.ts';
import { visible, visibleLine } from './visible.ts';
import { padText, textWidth, wrapText } from './width.ts';

const MAX_LABEL_COLUMNS = 24;
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
