import { isRecord } from '@parley/core/json';

/** A JSON object whose members are not known. */
export type Json = Readonly<Record<string, unknown>>;

/** The form that a member of foreign JSON must have. */
export type Form = keyof typeof FORMS;

/** For each form: what a value of this form becomes, and the empty value in place of any other value. */
const FORMS = {
  text: (value: unknown): string => (typeof value === 'string' ? value : ''),
  number: (value: unknown): number => (typeof value === 'number' ? value : 0),
  texts: (value: unknown): string[] => listOf(value).filter((item) => typeof item === 'string'),
  record: (value: unknown): Json => (isRecord(value) ? value : {}),
  records: (value: unknown): Json[] => listOf(value).filter(isRecord),
  any: (value: unknown): unknown => value,
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

type Read<F extends Readonly<Record<string, Form>>> = { readonly [M in keyof F]: ReturnType<(typeof FORMS)[F[M]]> };

/**
 * Reads JSON that Parley did not make or that can break its schema: a contract with errors, the answer of another program. This
 * is the only place where such JSON gets types.
 *
 * @param forms the members to read. A member that is missing or has another form is empty
 */
export function readAs<const F extends Readonly<Record<string, Form>>>(value: unknown, forms: F): Read<F>;
export function readAs(value: unknown, forms: Readonly<Record<string, Form>>): object {
  const members = FORMS.record(value);
  return Object.fromEntries(
    Object.entries(forms).map(([member, form]) => [
      member,
      FORMS[form](Object.hasOwn(members, member) ? members[member] : undefined),
    ]),
  );
}
