import { memoizeBy } from '../../kernel/memoize.ts';
import type { Contract } from '../document/contract.ts';
import { membersOf, type Place } from './nodes.ts';

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
