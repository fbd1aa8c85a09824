import { isRecord } from '@parley/core/json';
import type { Json } from '../../../src/text/read-as.ts';

/** Notes that the file has a value of a wrong type at a path. */
type Fault = (path: string, expected: string, value: unknown) => void;

/** A part of a form: how its value is kept as the user types it, read from a file, and sent. */
export interface Part<Typed> {
  /** The value in an empty form, and where a file has no value or a wrong one. */
  readonly empty: Typed;
  read(value: unknown, path: string, fault: Fault): Typed;
  /** The value to send. Undefined if nothing is sent, so that the default of the service applies. */
  input(typed: Typed): unknown;
  /** The names of the fields, in the order of the page. The paths of the service's issues begin with these names. */
  names(typed: Typed, path: string): readonly string[];
}

/** The value that a part keeps. */
export type Typed<P> = P extends Part<infer T> ? T : never;

/** A part with one field. `take` returns undefined for a value of a wrong type. */
const field = <T>(empty: T, expected: string, take: (value: unknown) => T | undefined): Part<T> => ({
  empty,
  read(value, path, fault) {
    if (value === undefined || value === null) return empty;
    const typed = take(value);
    if (typed === undefined) fault(path, expected, value);
    return typed || empty;
  },
  input: (typed) => typed,
  names: (_, path) => [path],
});

export const text = (empty = ''): Part<string> =>
  field(empty, 'a text', (value) => (typeof value === 'string' ? value : undefined));

/** A number is kept as text. A text that is no number is sent as it is, and the service refuses it. */
export const number = (empty: string): Part<string> => ({
  ...field(empty, 'a number', (value) => (typeof value === 'number' ? String(value) : undefined)),
  input: (typed) => (/^-?\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : typed.trim()),
});

export const oneOf = (words: readonly string[], empty: string): Part<string> =>
  field(empty, words.join(' or '), (value) => [...words, empty].find((word) => word === value));

/** An object of which the form shows some members at most. */
export const json: Part<Json> = {
  ...field<Json>({}, 'an object', (value) => (isRecord(value) ? value : undefined)),
  input: (typed) => (Object.keys(typed).length > 0 ? typed : undefined),
};

/** Sends nothing for a blank text and for the default. */
export const optional = (part: Part<string>, ...defaults: readonly string[]): Part<string> => ({
  ...part,
  input: (typed) => (typed.trim() === '' || defaults.includes(typed) ? undefined : part.input(typed)),
});

const items = field<readonly unknown[]>([], 'a list', (value) => (Array.isArray(value) ? value : undefined));

/** A list of texts that is typed in one field. */
export const texts = (
  join: (list: readonly string[]) => string,
  split: (typed: string) => readonly string[] | undefined,
): Part<string> => ({
  ...text(),
  read: (value, path, fault) =>
    join(items.read(value, path, fault).map((item, at) => text().read(item, `${path}[${at}]`, fault))),
  input: split,
});

/** A text that is a row of a list. */
export const line: Part<{ readonly text: string }> = {
  ...field({ text: '' }, 'a text', (value) => (typeof value === 'string' ? { text: value } : undefined)),
  input: (typed) => typed.text,
};

/** A row of a list. `key` identifies the row while the user reorders the list. */
export type Row<T> = T & { readonly key: number };

export const list = <T extends object>(part: Part<T>): Part<readonly Row<T>[]> => ({
  empty: [],
  read: (value, path, fault) =>
    items.read(value, path, fault).map((item, at) => ({ ...part.read(item, `${path}[${at}]`, fault), key: at + 1 })),
  input: (rows) => rows.map((row) => part.input(row)),
  names: (rows, path) => [path, ...rows.flatMap((row, at) => part.names(row, `${path}[${at}]`))],
});

/**
 * Returns the list with the entry at `index` moved one position up (-1) or down (1). If the entry is already the first
 * or the last and cannot move further, returns the list unchanged.
 */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const item = list[index];
  const other = list[index + by];
  if (item === undefined || other === undefined) return list;
  return list.with(index, other).with(index + by, item);
}

const pathOf = (path: string, member: string): string => (path === '' ? member : `${path}.${member}`);

/** An object. Its members are the fields, in the order of the page. */
export function record<T extends object>(parts: { readonly [M in keyof T]: Part<T[M]> }): Part<T> {
  const members = Object.entries(parts) as [keyof T & string, Part<T[keyof T]>][];
  const each = (make: (member: keyof T & string, part: Part<T[keyof T]>) => unknown): object =>
    Object.fromEntries(
      members.map(([member, part]) => [member, make(member, part)]).filter(([, made]) => made !== undefined),
    );
  return {
    empty: each((_, { empty }) => empty) as T,
    read(value, path, fault) {
      const given = json.read(value, path, fault);
      return each((member, part) => part.read(given[member], pathOf(path, member), fault)) as T;
    },
    input: (typed) => each((member, part) => part.input(typed[member])),
    names: (typed, path) => members.flatMap(([member, part]) => part.names(typed[member], pathOf(path, member))),
  };
}

/** What a component with fields of a form gets. */
export interface FieldsProps<T> {
  readonly item: T;
  /** Where the item is in the input, such as `requirements[0]`. Empty for the whole form. */
  readonly path: string;
  readonly onChange: (part: Partial<T>) => void;
  /** Why the server has refused the value at a path. */
  readonly errorAt: (path: string) => string | undefined;
}

type TextMember<T> = { [M in keyof T]: T[M] extends string ? M : never }[keyof T] & string;

/** Makes what the field of a member gets: its name, its value and its fault. */
export const fieldOf =
  <T extends object>({ item, path, onChange, errorAt }: FieldsProps<T>) =>
  (member: TextMember<T>) => ({
    name: pathOf(path, member),
    value: item[member] as string,
    error: errorAt(pathOf(path, member)),
    onChange: (value: string) => onChange({ [member]: value } as Partial<T>),
  });
