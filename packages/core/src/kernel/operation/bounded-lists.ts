import { z } from 'zod';
import { documented } from './documented.ts';

/**
 * Bytes that a value takes in an answer over MCP, which carries a result twice: as JSON, and as JSON within a text.
 * Over REST it takes at most half of them.
 */
export const costOf = (value: unknown): number => costOfJson(JSON.stringify(value) ?? '');

export const costOfJson = (json: string): number => Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));

/** What an answer says of the records that it leaves out; no answer has it that shows all. */
export const LeftOut = z.strictObject({
  count: z.int().describe('How many are left out of this answer.'),
  how: z.string().describe('The call that gives them.'),
});
documented.add(LeftOut, { id: 'LeftOut' });
export type LeftOut = z.output<typeof LeftOut>;

/** The member of an answer that tells what it leaves out. */
export const LEFT_OUT = { left_out: LeftOut.optional() };

/** The records of one list of an answer. */
export interface ListSource<R, V> {
  /** Oldest first. */
  readonly records: readonly R[];
  readonly view: (record: R) => V;
  /** Records that are open or current: they go before all others. All of them when left out. */
  readonly isCurrent?: (record: R) => boolean;
  /** The call that gives the records left out. @param last the last record shown */
  readonly how: (last: R | undefined) => string;
}

/** Lists of one answer. What one of them does not need, the others may take. */
export interface BoundedLists {
  /** The function gives the records shown, oldest first; to be called once every list was added. */
  list<R, V>(source: ListSource<R, V>): () => V[];
  /** What else the answer leaves out. */
  leave(part: LeftOut): void;
  leftOut(): { left_out?: LeftOut };
}

interface List {
  readonly spent: number;
  /** Shows one record more; false when there is none, or when it costs more than is left. */
  showNext(left: number): boolean;
  leftOut(): LeftOut | undefined;
}

/**
 * Shows of each list what fits: current records from the oldest on, then the others from the newest back. No record
 * beyond the first that does not fit is looked at.
 *
 * @param maxCost of all lists together, as {@link costOf} counts; the first record of a list is shown whatever it costs
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

/** The list that got least comes next, until each has all or no room is left for its next record. */
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
