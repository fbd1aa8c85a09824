import { isRecord } from '@parley/core/json';
import type { Members } from '../../../../src/transcript/message.ts';

/** The type that a member of the contract must have to be formatted. Values of other types are shown as JSON. */
export type Form = 'text' | 'texts' | 'records' | 'record' | 'any';

const FITS: Readonly<Record<Form, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  records: (value) => Array.isArray(value) && value.every(isRecord),
  record: isRecord,
  any: () => true,
};

/**
 * Returns the members that are not in `forms` or have a wrong type. These members are shown as JSON, because the owner
 * must see every member even if the contract violates its schema. Returns null if there are no such members.
 */
export function leftover(value: Members, forms: Readonly<Record<string, Form>>): Members | null {
  const rest = Object.entries(value).filter(
    ([member, given]) => !FITS[forms[member] ?? 'text'](given) || !(member in forms),
  );
  return rest.length === 0 ? null : Object.fromEntries(rest);
}
