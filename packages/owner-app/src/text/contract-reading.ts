import type { Answer } from '@parley/core/client';
import { readSection } from '@parley/core/reading';
import { plural } from '@parley/core/text';

/** A change between two revisions, as the service describes it. */
type ContractChange = Answer<'changes'>['sections'][number]['records'][number]['changes'][number];

/** The JSON Pointer to a record of the contract, such as `/tasks/3`. */
export const RECORD_PATH = /^\/[^/]+\/\d+$/;
/** Maximum length of a value that is shown in the line of its change. */
const INLINE_CHARS = 80;

const KINDS: Readonly<Record<string, string>> = { ADDED: ' added', REMOVED: ' removed' };

/**
 * What changed, without the values, such as `tests › test-key added: Frees the key` or `decision d_3 replaces d_2: Expiry`.
 *
 * @param isKindShown whether the caller shows beside the head whether the place was added or removed
 */
export function changeHead(
  { kind, place, title, replaces, replaced_by }: ContractChange,
  { isKindShown = false } = {},
): string {
  const verb = isKindShown ? '' : (KINDS[kind] ?? '');
  const replaced = replaces && `${verb && ','} replaces ${replaces}`;
  const by = replaced_by && `, replaced by ${replaced_by}`;
  return `${place}${verb}${replaced ?? ''}${by ?? ''}${title === undefined ? '' : `: ${title}`}`;
}

/**
 * The values of a change on one line, such as `409 → 423`. Empty if the place contains the value. Undefined if a value is
 * long or has several lines, and for a record or decision: the values are then shown below the head.
 */
export function inlineValues({ kind, path, place, title, before, after }: ContractChange): string | undefined {
  const values = [before, after].filter((value) => typeof value === 'string').map(compact);
  const isRecord = title !== undefined || (RECORD_PATH.test(path) && isJson(after ?? before));
  if (isRecord || values.length === 0) return undefined;
  if (values.some((value) => value.length > INLINE_CHARS || value.includes('\n'))) return undefined;
  return kind !== 'CHANGED' && place.includes(values.join()) ? '' : values.join(' → ');
}

/** Whether the value of a change is a JSON object or array. Otherwise it is a text, or a JSON number, boolean or null. */
export const isJson = (value: string | null | undefined): boolean => /^[[{]/.test(value ?? '');

/** JSON on one line, without brackets if it contains no other list or object. Returns a text, or JSON that was cut, as it is. */
function compact(value: string): string {
  try {
    return isJson(value) ? onOneLine(JSON.parse(value)) : value;
  } catch {
    return value;
  }
}

function onOneLine(value: object): string {
  const members = Object.entries(value);
  if (members.length === 0 || members.some(([, one]) => typeof one === 'object')) return JSON.stringify(value);
  return members.map(([name, one]) => (Array.isArray(value) ? String(one) : `${name}: ${one}`)).join(', ');
}

/** What happened to a part of the contract since the revision that the owner read last. */
export type News = 'new' | 'changed';

/** The changes of one section, as the operation `changes` shows them. */
export interface ChangedSection {
  readonly section: string;
  readonly count: number;
  readonly records: readonly {
    readonly record: string | null;
    readonly changes: readonly { readonly kind: string; readonly path: string }[];
  }[];
}

/** The new and the changed parts of the contract, by their ids. Removed parts are left out. */
export const newsOfParts = (changed: readonly ChangedSection[]): ReadonlyMap<string, News> =>
  new Map(
    changed.flatMap(({ records }) =>
      records.flatMap(({ record, changes }): (readonly [string, News])[] => {
        const whole = changes.find(({ path }) => RECORD_PATH.test(path));
        if (record === null || whole?.kind === 'REMOVED') return [];
        return [[record, whole?.kind === 'ADDED' ? 'new' : 'changed']];
      }),
    ),
  );

/** The sections as which the owner reads these members, each once. */
export const readSections = (members: readonly string[]): string[] => [...new Set(members.map(readSection))];

/** How much of the contract the owner has read: `9 of 12 sections read`. */
export const readingText = (of: number, read: number): string => `${read} of ${plural(of, 'section')} read`;
