import { isRecord } from '../../kernel/text/json-value.ts';
import { type Change, IDENTITIES } from '../document/diff.ts';
import { memberPath, namesIn, valueAtPointer } from '../document/json-pointer.ts';

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
function labelOf(element: unknown): string | undefined {
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

/** The place of a change in a contract, as names and as words. */
export interface Location {
  /** Name of the top-level member of the contract. Empty if the whole contract was replaced. */
  readonly section: string;
  /**
   * Name of the record in the section that contains the change, such as if-release. Null if the change is not inside a
   * record.
   */
  readonly record: string | null;
  /** The names on the path from the section to the changed place, up to the first element that has no name. */
  readonly names: readonly string[];
  /** The place, such as "interfaces › if-release › operations › POST /x › errors › LOCKED › status". */
  readonly words: string;
}

/** Maximum length of a name, which is cut if it is longer. Only a contract that breaks its schema has longer names. */
const MAX_NAME_CHARS = 80;

/**
 * Finds the place of a change.
 * @param contract the contract after the change; for a removed value it still contains the parent of that value
 */
export function locationOf({ path, before, after }: Piece, contract: unknown): Location {
  const shown: string[] = [];
  const names: string[] = [];
  let record: string | null = null;
  let isNamed = true;
  let value = contract;
  const steps = namesIn(path).slice(1);
  for (const [depth, step] of steps.entries()) {
    const isLast = depth === steps.length - 1;
    if (!Array.isArray(value)) {
      shown.push(short(step.replaceAll('_', ' ')));
      if (isNamed) names.push(step);
      value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
      continue;
    }
    value = isLast ? (after ?? before) : value[Number(step)];
    const label = nameOf(value, isLast && (before === undefined || after === undefined));
    shown.push(short(label ?? codeOf(value) ?? `${Number(step) + 1}`));
    if (label === undefined) isNamed = false;
    else if (isNamed) names.push(label);
    if (depth === 1) record = label === undefined ? null : short(label);
  }
  return { section: steps[0] ?? '', record, names, words: shown.join(' › ') || 'contract' };
}

/**
 * The words for a place, such as "tests › v-expiry › given". Undefined if the contract has no such place.
 *
 * @param pointer JSON Pointer to the place
 */
export function placeWords(contract: unknown, pointer: string): string | undefined {
  const value = valueAtPointer(contract, pointer);
  if (value === undefined) return undefined;
  return locationOf({ kind: 'CHANGED', path: pointer, before: value, after: value }, contract).words;
}

/** The name of an element: its label. For a short text that was added or removed, such as d_7, the text itself. */
function nameOf(value: unknown, isWhole: boolean): string | undefined {
  if (typeof value === 'string') return isWhole && /^\S{1,60}$/.test(value) ? value : undefined;
  return labelOf(value);
}

/** The code of an error, such as LOCKED. `Location.words` contains this code, but `Location.names` does not. */
const codeOf = (value: unknown): string | undefined =>
  isRecord(value) && typeof value.code === 'string' ? value.code : undefined;

const short = (name: string): string =>
  name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS).toWellFormed()}…` : name;

/**
 * For each top-level member of a contract that the owner reads together with another member: the other member. A map, because a
 * member can have any name, such as `constructor`.
 */
const READ_WITH: ReadonlyMap<string, string> = new Map([
  ['schema_version', 'summary'],
  ['title', 'summary'],
  ['scope', 'summary'],
  ['fixture_version', 'summary'],
  ['safety_conditions', 'risks'],
]);

/** The section as which the owner reads a top-level member of a contract. `markRead` accepts its name. */
export const readSection = (member: string): string => READ_WITH.get(member) ?? member;
