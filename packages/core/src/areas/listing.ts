import { z } from 'zod';
import { boundedLists, type LeftOut } from '../kernel/operation/bounded-lists.ts';
import { documented } from '../kernel/operation/documented.ts';

/** Maximum cost of the main list of an answer. */
export const LIST_COST = 600_000;

/** Input of an operation that lists records with counted ids. */
export const PAGE_INPUT = {
  after: z
    .int()
    .min(0)
    .max(999_999_999)
    .optional()
    .describe('Number in the last id you have.')
    .register(documented, { id: 'PageStart' }),
};

/** The number in a counted id: 12 in d_12. */
const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf('_') + 1));

interface Listing<R, V> {
  /** Oldest first. */
  readonly records: readonly R[];
  readonly view: (record: R) => V;
  /** Selects the records to list first if not all fit. Absent: all records count as current. */
  readonly isCurrent?: (record: R) => boolean;
  readonly idOf: (record: R) => string;
  /** The operation that lists the records, and the input that its call needs beside `after`. */
  readonly tool: string;
  readonly also?: string;
  /** The `after` of {@link PAGE_INPUT}. */
  readonly after: number | undefined;
}

export interface Listed<V> {
  readonly shown: V[];
  readonly leftOut: { left_out?: LeftOut };
}

/** As many records as an answer can hold. Without `after`: current records first. With `after`: one page in order. */
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
 * A sentence with the call for the records after a number.
 * @param also further input of the call
 */
export const pageCall = (tool: string, after: number, also?: string): string => {
  const call = `Call ${tool} with ${also === undefined ? '' : `${also} and `}after: ${after}`;
  return after === 0 ? `${call} for all of them in order, a page at a time.` : `${call} for the next ones.`;
};
