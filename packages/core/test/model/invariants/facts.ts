import type { Ledger } from '../ledger.ts';
import type { Seen } from '../seen.ts';
import type { Call, World } from '../world.ts';

/** What an invariant reads after a call that stored events. */
export interface Facts {
  readonly world: World;
  readonly now: Seen;
  readonly before: Seen;
  readonly call: Call;
  readonly ledger: Ledger;
}

/** Yields a description of each violation. */
export type Invariant = (facts: Facts) => Iterable<string>;

/** Yields each text that occurs more often in one list than in the other. */
export function* bagsDiffer(what: string, shown: readonly string[], due: readonly string[]): Generator<string> {
  const left = [...due];
  for (const item of shown) {
    const place = left.indexOf(item);
    if (place < 0) yield `${what} ${item} is shown and not due`;
    else left.splice(place, 1);
  }
  for (const item of left) yield `${what} ${item} is due and not shown`;
}
