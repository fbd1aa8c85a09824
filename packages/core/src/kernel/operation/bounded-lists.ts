import { z } from 'zod';
import { documented } from './documented.ts';

/**
 * Cost of a value: its bytes in an MCP answer, which contains the result twice, as JSON and as JSON inside a text. A REST
 * answer takes at most half of that.
 */
export const costOf = (value: unknown): number => costOfJson(JSON.stringify(value) ?? '');

export const costOfJson = (json: string): number => Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));

/** The number of records that an answer leaves out. Absent if the answer has all records. */
export const LeftOut = z.strictObject({
  count: z.int().describe('How many are left out of this answer.'),
  how: z.string().describe('The call that gives them.'),
});
documented.add(LeftOut, { id: 'LeftOut' });
export type LeftOut = z.output<typeof LeftOut>;

/** The member that an answer has in addition if it can leave records out. */
export const LEFT_OUT = { left_out: LeftOut.optional() };

/** The records of one list of an answer. */
export interface ListSource<R, V> {
  /** The records, oldest first. */
  readonly records: readonly R[];
  readonly view: (record: R) => V;
  /** Whether a record is open or current. Such records are shown before all others. Absent: all records are current. */
  readonly isCurrent?: (record: R) => boolean;
  /**
   * The call that gives the records left out.
   *
   * @param last the last record that is shown
   */
  readonly how: (last: R | undefined) => string;
}

/** The lists of one answer. The records shown in all of them together stay within one cost limit. */
export interface BoundedLists {
  /**
   * Adds a list. Returns a function that gives the shown records, oldest first; call that function after all lists were added.
   */
  list<R, V>(source: ListSource<R, V>): () => V[];
  /** Adds records that the answer leaves out for another reason, with the call that gives them. */
  leave(part: LeftOut): void;
  leftOut(): { left_out?: LeftOut };
}

interface List {
  readonly spent: number;
  /** Shows one more record if its cost is at most `left`. Returns false if no record is left or it does not fit. */
  showNext(left: number): boolean;
  leftOut(): LeftOut | undefined;
}

/**
 * Chooses the records that fit. Each list shows its current records first, beginning with the oldest, then its other records,
 * beginning with the newest. A list ends at its first record that does not fit.
 *
 * @param maxCost of all lists together, as {@link costOf} counts; the first record of a list is always shown
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
 * Lets the list with the lowest cost so far show its next record, again and again, until all records are shown or no list has a
 * next record that fits.
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
