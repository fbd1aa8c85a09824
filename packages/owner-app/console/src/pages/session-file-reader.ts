import { isRecord } from '@parley/core/json';

export type Json = Readonly<Record<string, unknown>>;

/**
 * Reads members of a file. If a member has a wrong type, a fault is recorded. A missing member is read as empty, and by
 * `oneOf` as the first of `known`.
 */
export interface Reader {
  text(value: unknown, path: string): string;
  /** Reads a number as text, because the field of the form contains text. */
  number(value: unknown, path: string): string;
  oneOf(value: unknown, path: string, known: readonly [string, ...string[]]): string;
  list(value: unknown, path: string): readonly unknown[];
  record(value: unknown, path: string): Json;
}

export function createReader(prefix: string, faults: string[]): Reader {
  const expect = (what: string, value: unknown, path: string): void => {
    faults.push(`${prefix}${path}: ${what} is expected, not ${kindOf(value)}.`);
  };
  const isMissing = (value: unknown): boolean => value === undefined || value === null;
  return {
    text(value, path) {
      if (typeof value === 'string') return value;
      if (!isMissing(value)) expect('a text', value, path);
      return '';
    },
    number(value, path) {
      if (typeof value === 'number') return String(value);
      if (!isMissing(value)) expect('a number', value, path);
      return '';
    },
    oneOf(value, path, known) {
      const found = known.find((word) => word === value);
      if (found === undefined && !isMissing(value)) expect(known.join(' or '), value, path);
      return found ?? known[0];
    },
    list(value, path) {
      if (Array.isArray(value)) return value;
      if (!isMissing(value)) expect('a list', value, path);
      return [];
    },
    record(value, path) {
      if (isRecord(value)) return value;
      if (!isMissing(value)) expect('an object', value, path);
      return {};
    },
  };
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.length <= 30 ? `"${value}"` : 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
