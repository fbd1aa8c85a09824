import { isRecord } from '../../kernel/json-value.ts';
import { pointerTo } from './pointer.ts';
import type { Fault } from './rule.ts';

/** One step of the path to a value; null is the whole contract. */
export interface Place {
  readonly part: string | number;
  readonly within: Place | null;
}

/** The own members of an object or the items of an array, each with its name or index. */
export function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isRecord(value) ? Object.entries(value) : [];
}

export const placeOf = (...path: readonly (string | number)[]): Place | null =>
  path.reduce<Place | null>((within, part) => ({ part, within }), null);

/** A fault that builds its pointer only when read, because only a few of thousands of faults are listed. */
export const faultAt = (place: Place | null, message: string): Fault => ({
  get pointer() {
    return pointerTo(pathOf(place));
  },
  message,
});

function pathOf(place: Place | null): (string | number)[] {
  const path: (string | number)[] = [];
  for (let step = place; step; step = step.within) path.push(step.part);
  return path.reverse();
}

/** Whether a value contains more values than the limit, at any depth. */
export function holdsMoreThan(value: unknown, limit: number): boolean {
  const waiting = [value];
  let count = 0;
  while (waiting.length > 0) {
    const inner = waiting.pop();
    const values: unknown[] = typeof inner === 'object' && inner !== null ? Object.values(inner) : [];
    count += values.length;
    if (count > limit) return true;
    for (const one of values) if (typeof one === 'object') waiting.push(one);
  }
  return false;
}
