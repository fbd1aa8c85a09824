import { z } from 'zod';
import { namedObject } from './documented.ts';

/**
 * Returns the number of bytes that a value takes in an MCP answer, which contains each result twice: as JSON, and as
 * JSON inside a text.
 */
export const costOf = (value: unknown): number => costOfJson(JSON.stringify(value) ?? '');

export const costOfJson = (json: string): number => Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));

/**
 * A note in an answer that leaves out records: how many are missing, and the call that reads them. Absent if the answer
 * contains all records.
 */
export const LeftOut = namedObject('LeftOut', {
  count: z.int().describe('Number of records left out of this answer.'),
  how: z.string().describe('How to read the records left out.'),
});
export type LeftOut = z.output<typeof LeftOut>;

export const LEFT_OUT = { left_out: LeftOut.optional() };

export interface ListSource<R, V> {
  /** All records of the list, oldest first. */
  readonly records: readonly R[];
  readonly view: (record: R) => V;
  /**
   * Whether a record is open or current: the answer contains such records before all others. If absent, all records are current.
   */
  readonly isCurrent?: (record: R) => boolean;
  /**
   * Returns a sentence that names the call for the remaining records.
   *
   * @param last the last record that the answer contains
   */
  readonly how: (last: R | undefined) => string;
}

/** The lists of one answer, which share one size limit. */
export interface BoundedLists {
  /**
   * Adds a list. Returns a function that returns the records that fit, oldest first. Call that function only after all lists
   * were added.
   */
  list<R, V>(source: ListSource<R, V>): () => V[];
  /** Adds a note about records that are missing for another reason than the size of the answer. */
  leave(part: LeftOut): void;
  leftOut(): { left_out?: LeftOut };
}

interface List {
  readonly spent: number;
  /**
   * Adds the next record of the list to the answer, if the record takes at most `left` bytes. Returns false if the record takes
   * more, or if no record remains.
   */
  showNext(left: number): boolean;
  leftOut(): LeftOut | undefined;
}

/**
 * Creates the lists of one answer, and chooses the records that fit. Each list adds its current records first,
 * beginning with the oldest, then its other records, beginning with the newest. A list ends at its first record that
 * does not fit.
 *
 * @param maxCost maximum size of all lists together, in bytes as {@link costOf} counts; the first record of each list
 * is added even if it exceeds this size
 */
export function boundedLists(maxCost: number): BoundedLists {
  const lists: List[] = [];
  const left: LeftOut[] = [];
  let isFilled = false;
  const fill = (): void => {
    if (!isFilled) share(lists, maxCost);
    isFilled = true;
  };
  return {
    list(source) {
      const { list, shown } = createList(source);
      lists.push(list);
      return () => {
        fill();
        return shown();
      };
    },
    leave: (part) => void left.push(part),
    leftOut() {
      fill();
      return sumOf([...lists.flatMap((list) => list.leftOut() ?? []), ...left]);
    },
  };
}

/**
 * Divides the size limit among the lists. Repeatedly, the list that has used the fewest bytes adds its next record. Ends
 * when no list has a record that fits.
 */
function share(lists: readonly List[], maxCost: number): void {
  const waiting = new Set(lists);
  let left = maxCost;
  while (waiting.size > 0) {
    const list = [...waiting].reduce((least, other) => (other.spent < least.spent ? other : least));
    const before = list.spent;
    if (!list.showNext(left)) waiting.delete(list);
    left -= list.spent - before;
  }
}

function createList<R, V>({ records, view, isCurrent = () => true, how }: ListSource<R, V>) {
  const order = inOrder(records, isCurrent);
  const shown: { readonly index: number; readonly view: V }[] = [];
  let spent = 0;
  const sorted = () => shown.toSorted((one, other) => one.index - other.index);
  const list: List = {
    get spent() {
      return spent;
    },
    showNext(left) {
      const next = order[shown.length];
      if (next === undefined) return false;
      const shownView = view(next.record);
      const cost = costOf(shownView);
      if (shown.length > 0 && cost > left) return false;
      shown.push({ index: next.index, view: shownView });
      spent += cost;
      return true;
    },
    leftOut() {
      const count = records.length - shown.length;
      const last = sorted().at(-1)?.index;
      return count === 0 ? undefined : { count, how: how(last === undefined ? undefined : records[last]) };
    },
  };
  return { list, shown: () => sorted().map((item) => item.view) };
}

function inOrder<R>(records: readonly R[], isCurrent: (record: R) => boolean) {
  const all = records.map((record, index) => ({ record, index, isCurrent: isCurrent(record) }));
  return [...all.filter((item) => item.isCurrent), ...all.filter((item) => !item.isCurrent).reverse()];
}

function sumOf(parts: readonly LeftOut[]): { left_out?: LeftOut } {
  const [first, ...others] = parts;
  if (!first) return {};
  if (others.length === 0) return { left_out: first };
  const how = parts.map((part) => `${part.count}: ${part.how}`).join(' ');
  return { left_out: { count: parts.reduce((sum, { count }) => sum + count, 0), how } };
}
