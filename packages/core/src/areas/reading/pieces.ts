import { isRecord } from '../../kernel/text/json-value.ts';
import { type Change, IDENTITIES } from '../document/diff.ts';
import { memberPath, namesIn } from '../document/json-pointer.ts';

export const CHANGE_KINDS = ['ADDED', 'REMOVED', 'CHANGED'] as const;

/** A changed place in a contract. `before` is absent if the value was added, `after` if it was removed. */
export interface Piece {
  readonly kind: (typeof CHANGE_KINDS)[number];
  /**
   * JSON Pointer to the place in the contract after the change. For a removed element, its pointer before the change.
   */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The name of an element for people: its id, filename or name. Undefined if the element has none of the three. */
export function labelOf(element: unknown): string | undefined {
  if (!isRecord(element)) return undefined;
  const member = IDENTITIES.find((name) => Object.hasOwn(element, name) && typeof element[name] === 'string');
  return member === undefined ? undefined : String(element[member]);
}

/**
 * The places that a JSON Patch operation changes. If it adds, removes or replaces a whole section or contract, there is
 * one place for each changed record; otherwise there is one place.
 * @param base the whole contract before all operations of the patch; {} if there was no contract
 */
export function piecesOf(change: Change, base: unknown): Piece[] {
  const { op } = change;
  const before = op.path === '' ? base : change.before;
  if (op.op === 'remove') return split({ kind: 'REMOVED', path: op.path, before });
  if (op.op === 'add') return split({ kind: 'ADDED', path: op.path, after: op.value });
  return split({ kind: 'CHANGED', path: op.path, before, after: op.value });
}

function split(piece: Piece): Piece[] {
  const parts = [...(piece.path === '' ? sectionsIn(piece) : recordsIn(piece))];
  return parts.length === 0 ? [piece] : parts;
}

function* sectionsIn({ before, after }: Piece): Generator<Piece> {
  const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const path = memberPath('', name);
    if (!Object.hasOwn(now, name)) yield* split({ kind: 'REMOVED', path, before: old[name] });
    else if (!Object.hasOwn(old, name)) yield* split({ kind: 'ADDED', path, after: now[name] });
    else if (!isSame(old[name], now[name]))
      yield* split({ kind: 'CHANGED', path, before: old[name], after: now[name] });
  }
}

/** The changed records of a section. Yields nothing if the section is not a list of records with names. */
function* recordsIn({ path, before = [], after = [] }: Piece): Generator<Piece> {
  if (namesIn(path).length !== 2) return;
  const [old, now] = [placesOf(before), placesOf(after)];
  if (!old || !now) return;
  for (const [label, { index, value }] of old)
    if (!now.has(label)) yield { kind: 'REMOVED', path: memberPath(path, index), before: value };
  for (const [label, { index, value }] of now) {
    const known = old.get(label);
    const at = memberPath(path, index);
    if (!known) yield { kind: 'ADDED', path: at, after: value };
    else if (!isSame(known.value, value)) yield { kind: 'CHANGED', path: at, before: known.value, after: value };
  }
}

/**
 * The elements of a list by their names. Undefined if an element has no name, or if two elements have the same name.
 */
function placesOf(list: unknown): Map<string, { readonly index: number; readonly value: unknown }> | undefined {
  if (!Array.isArray(list)) return undefined;
  const places = new Map(list.map((value: unknown, index) => [labelOf(value) ?? '', { index, value }]));
  return places.size === list.length && !places.has('') ? places : undefined;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
