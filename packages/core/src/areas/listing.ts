import { z } from 'zod';
import { boundedLists, type LeftOut } from '../kernel/operation/bounded-lists.ts';
import { documented } from '../kernel/operation/documented.ts';

/** What the list may cost that an operation is there for. */
export const LIST_COST = 600_000;

/** Input of an operation that lists records with counted ids. */
export const PAGE_INPUT = {
  after: z
    .int()
    .min(0)
    .max(999_999_999)
    .optional()
    .describe('Number in the last id you have; 0 begins.')
    .register(documented, { id: 'PageStart' }),
};

/** The number in a counted id: 12 in d_12. */
const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf('_') + 1));

interface Listing<R, V> {
  /** Oldest first. */
  readonly records: readonly R[];
  readonly view: (record: R) => V;
  /** Records that go before others where not all can be shown; all of them when left out. */
  readonly isCurrent?: (record: R) => boolean;
  readonly idOf: (record: R) => string;
  /** The operation that lists them, and what a call of it sends beside `after`. */
  readonly tool: string;
  readonly also?: string;
  /** As {@link PAGE_INPUT} takes it. */
  readonly after: number | undefined;
}

export interface Listed<V> {
  readonly shown: V[];
  readonly leftOut: { left_out?: LeftOut };
}

/** A list as far as an answer holds it: without `after` current records before others, with it one page in order. */
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

/** The call that gives the records after a number, as a sentence. @param also what else the call sends */
export const pageCall = (tool: string, after: number, also?: string): string => {
  const call = `Call ${tool} with ${also === undefined ? '' : `${also} and `}after: ${after}`;
  return after === 0 ? `${call} for all of them in order, a page at a time.` : `${call} for the next ones.`;
};
