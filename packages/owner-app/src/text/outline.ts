import { indented, type Page } from './page.ts';
import { tableLines } from './table.ts';
import { visible, visibleLine } from './visible.ts';
import { padText, shorten, textWidth, wrapText } from './width.ts';

const MAX_LABEL_COLUMNS = 40;

type Members = readonly (readonly [string, unknown])[];

/** Formats any answer of the service. Each member has its own line. Lists of flat records are formatted as tables. */
export function outlineLines(value: unknown, page: Page): string[] {
  if (isRecord(value)) return memberLines(Object.entries(value), page);
  if (Array.isArray(value)) return listLines(value, page);
  return wrapText(scalarText(value), page.columns, 'keep');
}

function memberLines(members: Members, page: Page): string[] {
  const labels = members.filter(([, value]) => isScalar(value)).map(([name]) => textWidth(labelOf(name)));
  const width = Math.min(24, Math.max(0, ...labels));
  return members.flatMap(([name, value]) =>
    isScalar(value) ? scalarLines(name, value, width, page) : sectionLines(name, value, page),
  );
}

function scalarLines(name: string, value: unknown, width: number, page: Page): string[] {
  const label = padText(labelOf(name), width);
  const [first = '', ...more] = wrapText(scalarText(value), page.columns - textWidth(label) - 2, 'keep');
  return [`${page.paint('dim', label)}  ${first}`, ...more.map((line) => `${' '.repeat(textWidth(label))}  ${line}`)];
}

function sectionLines(name: string, value: unknown, page: Page): string[] {
  return [page.paint('dim', labelOf(name)), ...outlineLines(value, indented(page, 2)).map((line) => `  ${line}`)];
}

function listLines(items: readonly unknown[], page: Page): string[] {
  if (items.length > 0 && items.every(isFlat)) return tableLines(tableOf(items), page.columns, page.paint);
  return items.flatMap((item) => {
    const [first = '', ...more] = outlineLines(item, indented(page, 2));
    return [`- ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

function tableOf(items: readonly Readonly<Record<string, unknown>>[]) {
  const heads = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = items.map((item) => heads.map((head) => scalarText(item[head]).replaceAll('\n', ' ')));
  const widths = heads.map((_, index) => Math.max(...rows.map((row) => textWidth(row[index] ?? ''))));
  return { heads: heads.map(labelOf), rows, flexible: widths.indexOf(Math.max(...widths)) };
}

/** The name of a member as a label. It is made safe and short, because agents can choose names of members. */
const labelOf = (name: string): string => shorten(visibleLine(name), MAX_LABEL_COLUMNS);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFlat = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.values(value).every(isScalar);

/** Whether a value fits on one line: it is a single value, or a list of short values. */
const isScalar = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isShort) : typeof value !== 'object' || value === null;

const isShort = (item: unknown): boolean => (typeof item === 'string' ? item.length <= 30 : typeof item !== 'object');

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(scalarText).join(', ');
  return visible(String(value));
}
