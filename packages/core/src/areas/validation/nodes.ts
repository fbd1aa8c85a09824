import { isRecord } from '../../kernel/text/json-value.ts';
import { pointerTo } from './pointer.ts';
import type { Fault } from './rule.ts';

/**
 * The place of a value: its name or index in the containing value, and the place of the containing value. Null stands
 * for the whole contract.
 */
export interface Place {
  readonly part: string | number;
  readonly within: Place | null;
}

/** The members of an object or the items of an array, each with its name or index. Inherited members are left out. */
export function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isRecord(value) ? Object.entries(value) : [];
}

export const placeOf = (...path: readonly (string | number)[]): Place | null =>
  path.reduce<Place | null>((within, part) => ({ part, within }), null);

/**
 * A fault at a place. Its pointer is built only when it is read, because an answer may list only a few of thousands of
 * faults.
 */
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
