/** The indices of an element that is in two lists: `before` in the first list, `after` in the second. */
export type Kept = readonly [before: number, after: number];

/**
 * Pairs the equal elements of two lists, so that both indices rise from pair to pair. Pairs the k-th of several equal
 * elements of `before` with the k-th of `after`, then keeps the longest sequence of pairs whose indices rise.
 * Takes O(n log n).
 */
export function alignment(before: readonly unknown[], after: readonly unknown[]): Kept[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const first = Array.from({ length: head }, (_, index): Kept => [index, index]);
  const middle = longestRising(samePairs(before, after, { head, tail }));
  const last = Array.from(
    { length: tail },
    (_, index): Kept => [before.length - tail + index, after.length - tail + index],
  );
  return [...first, ...middle, ...last];
}

function samePairs(
  before: readonly unknown[],
  after: readonly unknown[],
  { head, tail }: { head: number; tail: number },
): Kept[] {
  const places = new Map<unknown, number[]>();
  for (let index = before.length - tail - 1; index >= head; index -= 1) {
    const known = places.get(before[index]);
    if (known) known.push(index);
    else places.set(before[index], [index]);
  }
  const pairs: Kept[] = [];
  for (let index = head; index < after.length - tail; index += 1) {
    const place = places.get(after[index])?.pop();
    if (place !== undefined) pairs.push([place, index]);
  }
  return pairs;
}

interface Link {
  readonly pair: Kept;
  readonly previous: Link | undefined;
}

/**
 * The longest increasing subsequence of the pairs, by patience sorting. Of all pairs that can end a subsequence of
 * n + 1 pairs, `ends[n]` is the pair with the lowest index `before`.
 */
function longestRising(pairs: readonly Kept[]): Kept[] {
  const ends: Link[] = [];
  for (const pair of pairs) {
    const length = runsBelow(ends, pair[0]);
    ends[length] = { pair, previous: ends[length - 1] };
  }
  const run: Kept[] = [];
  for (let link = ends.at(-1); link; link = link.previous) run.push(link.pair);
  return run.reverse();
}

function runsBelow(ends: readonly Link[], place: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle]?.pair[0] ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
