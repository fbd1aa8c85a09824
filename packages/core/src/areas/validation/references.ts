import type { Fault } from './rule.ts';

/** An id in a list of references, and the place of that id. */
export interface Reference {
  readonly pointer: string;
  /** Id of the record that contains the reference. */
  readonly from: string;
  readonly to: string;
}

type Holder<M extends string> = Readonly<Record<M, readonly string[]>> & { readonly id: string };

/** Yields the references in a member, such as `depends_on`, of each record of a list, such as `tasks`. */
export function* referencesIn<M extends string>(
  list: string,
  records: readonly Holder<M>[],
  member: M,
): Generator<Reference> {
  for (const [at, record] of records.entries())
    for (const [index, to] of record[member].entries())
      yield { pointer: `/${list}/${at}/${member}/${index}`, from: record.id, to };
}

/**
 * Yields a fault for each reference to an id that does not exist.
 * @param what the kind of record that the id must name, such as "task of this contract"
 */
export function* unknownAmong(
  references: Iterable<Reference>,
  known: ReadonlySet<string>,
  what: string,
): Generator<Fault> {
  for (const { pointer, from, to } of references)
    if (!known.has(to)) yield { pointer, message: `${from} names ${to}, which is no ${what}.` };
}

export const idsOf = (records: readonly { readonly id: string }[]): Set<string> => new Set(records.map(({ id }) => id));

/** Maps each id to its record. If several records have the same id, the map contains the first of these records. */
export function byId<T extends { readonly id: string }>(records: readonly T[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const record of records) if (!found.has(record.id)) found.set(record.id, record);
  return found;
}
