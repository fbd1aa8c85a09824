import { isRecord } from '../../kernel/text/json-value.ts';
import { namesIn, valueAtPointer } from '../document/json-pointer.ts';
import { labelOf, type Piece } from './pieces.ts';

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
