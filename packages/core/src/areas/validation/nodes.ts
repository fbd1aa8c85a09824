import { memoizeBy } from '../../kernel/memoize.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { echoName } from '../../kernel/text/safe-echo.ts';
import { credentialIn } from '../credentials/rules.ts';
import type { Contract } from '../document/contract.ts';
import { memberPath } from '../document/json-pointer.ts';
import type { Fault } from './rule.ts';

/**
 * The names of members that a pointer may show. Other agents read pointers, so a pointer must not contain whole
 * sentences of an agent.
 */
const NAME = /^[\w$@#.,:;/^*+?|()[\]{}\\~=-]{1,60}$/;

/** Whether a pointer or a message may show this name, which an agent has chosen. */
export const isShowable = (name: string): boolean =>
  NAME.test(name) && echoName(name) === name && credentialIn(name) === null;

/** The JSON Pointer (RFC 6901) of a path. It ends before the first member whose name must not be shown. */
export function pointerTo(path: readonly PropertyKey[]): string {
  let pointer = '';
  for (const part of path) {
    if (typeof part === 'number') {
      pointer = memberPath(pointer, part);
    } else {
      const name = String(part);
      if (!isShowable(name)) return pointer;
      pointer = memberPath(pointer, name);
    }
  }
  return pointer;
}

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

/**
 * The kind of a text. `prose`: a sentence of the contract. `payload`: a description in words where a payload is
 * expected. `data`: a value inside a payload or a JSON Schema. `name`: the name of a member inside a payload or a JSON
 * Schema. `file`: a part of an artifact.
 */
export type TextKind = 'prose' | 'payload' | 'data' | 'name' | 'file';

export interface PlacedText {
  readonly text: string;
  readonly kind: TextKind;
  readonly place: Place | null;
}

interface Holder {
  readonly value: object;
  readonly kind: TextKind;
  readonly place: Place | null;
}

/** Every text of a contract. The texts of a record itself come before the texts of the records inside it. */
export const textsOf = memoizeBy((contract: Contract): readonly PlacedText[] => {
  const texts: PlacedText[] = [];
  const waiting: Holder[] = [{ value: contract, kind: 'prose', place: null }];
  // A loop instead of recursion, because deep nesting of payloads would exhaust the stack.
  for (let holder = waiting.pop(); holder; holder = waiting.pop()) {
    const held: Holder[] = [];
    const inner = innerKind(holder);
    for (const [part, value] of membersOf(holder.value)) {
      const kind = memberKind(inner, part);
      const place = { part, within: holder.place };
      if (inner === 'data' && typeof part === 'string') texts.push({ text: part, kind: 'name', place });
      if (typeof value === 'string') texts.push({ text: value, kind, place });
      else if (typeof value === 'object' && value !== null) held.push({ value, kind, place });
    }
    for (const next of held.reverse()) waiting.push(next);
  }
  return texts;
});

const innerKind = ({ kind, value }: Holder): TextKind => (kind === 'payload' && !Array.isArray(value) ? 'data' : kind);

/** The kind of the texts in a member of the contract, for the members whose texts are not `prose`. */
const OTHER_KINDS: ReadonlyMap<string | number, TextKind> = new Map([
  ['request', 'payload'],
  ['response', 'payload'],
  ['errors', 'payload'],
  ['json_schema', 'data'],
  ['artifacts', 'file'],
]);

const memberKind = (inner: TextKind, part: string | number): TextKind =>
  inner === 'prose' ? (OTHER_KINDS.get(part) ?? 'prose') : inner;
