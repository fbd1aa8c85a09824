import type { Contract } from '../contract/contract.ts';
import { inside, membersOf, type Node } from './nodes.ts';

/**
 * What a text is: a sentence of the contract, a sentence that stands for a payload, data inside a payload or a JSON
 * Schema, the name of a member there, or the content of an artifact.
 */
export type TextKind = 'prose' | 'payload' | 'data' | 'name' | 'file';

export interface PlacedText {
  readonly text: string;
  readonly kind: TextKind;
  readonly pointer: string;
}

interface TextNode extends Node {
  readonly kind: TextKind;
}

/** Every text of a contract, in its order. Not recursive: a payload may be nested deeply. */
export function* textsIn(contract: Contract): Generator<PlacedText> {
  const waiting: TextNode[] = [{ value: contract, kind: 'prose', pointer: '', isExact: true }];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { value, kind, pointer } = node;
    if (typeof value === 'string') {
      yield { text: value, kind, pointer };
      continue;
    }
    const inner = innerKind(node);
    const members = membersOf(value);
    if (inner === 'data') yield* namesOf(members, pointer);
    for (const [part, member] of members.toReversed()) {
      waiting.push({ value: member, kind: memberKind(inner, part), ...inside(node, part) });
    }
  }
}

function* namesOf(members: readonly [string | number, unknown][], pointer: string): Generator<PlacedText> {
  for (const [part] of members) if (typeof part === 'string') yield { text: part, kind: 'name', pointer };
}

const innerKind = ({ kind, value }: TextNode): TextKind =>
  kind === 'payload' && !Array.isArray(value) ? 'data' : kind;

/** Members of prose are those of the contract's shape. */
const OTHER_KINDS: ReadonlyMap<string | number, TextKind> = new Map([
  ['request', 'payload'],
  ['response', 'payload'],
  ['errors', 'payload'],
  ['json_schema', 'data'],
  ['content', 'file'],
]);

const memberKind = (inner: TextKind, part: string | number): TextKind =>
  inner === 'prose' ? (OTHER_KINDS.get(part) ?? 'prose') : inner;
