import { z } from 'zod';
import { fail } from '../kernel/errors.ts';
import { lookUp, type PersistentMap } from '../kernel/log/persistent-collections.ts';
import { boundedLists, type LeftOut } from '../kernel/operation/bounded-lists.ts';
import { documented } from '../kernel/operation/json-schema.ts';

/** Maximum size of the main list in an answer, in bytes as `costOf` counts them. */
export const LIST_COST = 600_000;

const MAX_NAMES = 20;

/** Joins the first `max` names, followed by the number of the other names. */
export const named = (names: readonly string[], max = MAX_NAMES): string => {
  const more = names.length - max;
  return names.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

/** Input of an operation that lists records whose ids contain a number, such as d_12. */
export const PAGE_INPUT = {
  after: z
    .int()
    .min(0)
    .max(999_999_999)
    .optional()
    .describe('Number in the last id read.')
    .register(documented, { id: 'PageStart' }),
};

const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf('_') + 1));

interface Listing<R, V> {
  /** The records, oldest first. */
  readonly records: readonly R[];
  readonly view: (record: R) => V;
  /**
   * Whether the record comes before the others if the answer cannot hold all records. Without this function, no record
   * comes before the others.
   */
  readonly isCurrent?: (record: R) => boolean;
  readonly idOf: (record: R) => string;
  /** Name of the operation that lists the records. */
  readonly tool: string;
  /** Input that the call for the next records needs besides `after`. Undefined if it needs none. */
  readonly also?: string;
  readonly after: number | undefined;
}

export interface Listed<V> {
  readonly shown: V[];
  readonly leftOut: { left_out?: LeftOut };
}

/**
 * The records of a list, as many as fit into the answer. Without `after`, the records for which `isCurrent` is true come
 * first. With `after`, the list is one page of the records after that number, in the order of their numbers.
 */
export function listed<R, V>({ records, view, isCurrent, idOf, tool, also, after }: Listing<R, V>): Listed<V> {
  const lists = boundedLists(LIST_COST);
  const isPage = after !== undefined;
  const shown = lists.list({
    records: isPage ? records.filter((record) => numberIn(idOf(record)) > after) : records,
    view,
    ...(isCurrent && !isPage ? { isCurrent } : {}),
    how: (last) => pageCall(tool, isPage && last !== undefined ? numberIn(idOf(last)) : 0, also),
  });
  return { shown: shown(), leftOut: lists.leftOut() };
}

/**
 * A sentence that names the call for the records after the number `after`; 0 means all records.
 * @param also input of that call, besides `after`
 */
export const pageCall = (tool: string, after: number, also?: string): string => {
  const call = `Call ${tool} with ${also === undefined ? '' : `${also} and `}after: ${after}`;
  return after === 0 ? `${call} for all records in order, a page at a time.` : `${call} for the next records.`;
};

/**
 * Returns a function that makes a view of a record: the members which the schema names, in the order of the schema. A
 * member that the record lacks is left out.
 *
 * @param schema the view, in the names of the record
 */
export function pickOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const names = Object.keys(schema.shape);
  return <Item extends object>(record: Item): Pick<Item, Extract<keyof Item, keyof Shape>> => {
    // A loop, because Object.fromEntries takes several times as long, and views are made for each record of each answer.
    const view: Record<string, unknown> = {};
    for (const name of names) if (Object.hasOwn(record, name)) view[name] = Reflect.get(record, name);
    return view as Pick<Item, Extract<keyof Item, keyof Shape>>;
  };
}

/**
 * The record with an id among all of its kind.
 * @throws ParleyError UNKNOWN_RECORD
 */
export const recordIn = <R>(all: PersistentMap<R>, type: string, id: string): R =>
  lookUp(all, id) ?? fail('UNKNOWN_RECORD', `There is no ${type} ${id} in this session.`, { record: { type, id } });
