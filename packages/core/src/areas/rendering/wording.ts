import type { Contract } from '../document/contract.ts';
import { bullets, code, codes, inline, lines, table } from './markdown.ts';

export const NONE = 'None.';

/** Joins the parts of a document with blank lines, and leaves out empty parts. */
export const stack = (...parts: readonly string[]): string => parts.filter(Boolean).join('\n\n');

export const tableOrNone = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length > 0 ? table(head, rows) : NONE;

export const listOrNone = (items: readonly string[]): string => (items.length > 0 ? bullets(items) : NONE);

export const textList = (texts: readonly string[]): string => listOrNone(texts.map((text) => lines(text, '  ')));

export const codesOrNone = (ids: readonly string[]): string => (ids.length > 0 ? codes(ids) : 'none');

export const numbered = (texts: readonly string[]): string =>
  texts.length > 0 ? texts.map((text, index) => `${index + 1}. ${lines(text, '   ')}`).join('\n') : NONE;

export const idAndTitle = ({ id, title }: { readonly id: string; readonly title: string }): string =>
  `${code(id)} ${inline(title)}`;

/** The kind of record (task, test or gate) for each id that `covered_by` can contain. */
export function kindsOf({ tasks, tests, gates }: Contract): ReadonlyMap<string, string> {
  const named = (kind: string, items: readonly { readonly id: string }[]) =>
    items.map(({ id }): [string, string] => [id, kind]);
  return new Map([...named('gate', gates), ...named('test', tests), ...named('task', tasks)]);
}

/** Ids with their kinds, such as "task `x`, test `y`". An unknown id is shown without a kind. */
export const covering = (ids: readonly string[], kinds: ReadonlyMap<string, string>): string =>
  ids.map((id) => [kinds.get(id), code(id)].filter(Boolean).join(' ')).join(', ');
