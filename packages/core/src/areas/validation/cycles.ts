import type { Fault } from './rule.ts';

interface Dependent {
  readonly id: string;
  readonly depends_on: readonly string[];
}

/** A record on the path from the start of the search to the current record. */
interface Step {
  readonly at: number;
  next: number;
}

interface Search {
  readonly list: string;
  readonly records: readonly Dependent[];
  readonly indexes: ReadonlyMap<string, number>;
  readonly seen: Set<number>;
}

/**
 * Finds the references that close a cycle. A loop instead of recursion, because a chain of references can be long
 * enough to exhaust the stack.
 */
export function* cyclesIn(list: string, records: readonly Dependent[]): Generator<Fault> {
  const indexes = new Map(Array.from(records, ({ id }, at): [string, number] => [id, at]).toReversed());
  const search: Search = { list, records, indexes, seen: new Set() };
  for (const at of records.keys()) if (!search.seen.has(at)) yield* closingFrom(search, at);
}

function* closingFrom({ list, records, indexes, seen }: Search, start: number): Generator<Fault> {
  const path: Step[] = [{ at: start, next: 0 }];
  const places = new Map([[start, 0]]);
  seen.add(start);
  for (let step = path.at(-1); step; step = path.at(-1)) {
    const reference = records[step.at]?.depends_on[step.next];
    if (reference === undefined) {
      places.delete(step.at);
      path.pop();
      continue;
    }
    const pointer = `/${list}/${step.at}/depends_on/${step.next}`;
    step.next += 1;
    const to = indexes.get(reference);
    const place = to === undefined ? undefined : places.get(to);
    if (place !== undefined) {
      yield { pointer, message: `This dependency closes a cycle: ${circleText(path, place, records)}.` };
    } else if (to !== undefined && !seen.has(to)) {
      seen.add(to);
      places.set(to, path.length);
      path.push({ at: to, next: 0 });
    }
  }
}

const SHOWN_STEPS = 5;

function circleText(path: readonly Step[], from: number, records: readonly Dependent[]): string {
  const length = path.length - from;
  const shown = path.slice(from, from + Math.min(length, SHOWN_STEPS)).map(({ at }) => records[at]?.id ?? '');
  const rest = length > SHOWN_STEPS ? [`${length - SHOWN_STEPS} more`] : [];
  return [...shown, ...rest, shown[0] ?? ''].join(' → ');
}
