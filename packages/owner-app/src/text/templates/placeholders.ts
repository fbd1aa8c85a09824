import { isRecord } from '@parley/core/json';

/** A placeholder of a template that was not replaced, and the member that contains it, such as `requirements[0].text`. */
interface Placeholder {
  readonly path: string;
  readonly words: string;
}

/** Matches two words or more in angle brackets, such as `<the calling service>`. Generics follow a name, and tags are one word. */
const PLACEHOLDER = /(?<!\w)<[\p{L}\d',.-]{1,40}(?: [\p{L}\d',.-]{1,40}){1,12}>/gu;
/** Matches what is meant as it stands. */
const CODE = /`[^`]*`/g;

/** A session has no value deeper than this. */
const MAX_DEPTH = 10;

/** Every placeholder in the texts of a session, in their order. Texts in backticks do not count. */
export function placeholdersIn(value: unknown, path = '', depth = 0): Placeholder[] {
  if (typeof value === 'string')
    return [...value.replace(CODE, '').matchAll(PLACEHOLDER)].map(([words]) => ({ path, words }));
  if (depth === MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => placeholdersIn(item, `${path}[${at}]`, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    placeholdersIn(member, path === '' ? name : `${path}.${name}`, depth + 1),
  );
}

/** What to do about a placeholder, as a sentence. */
export const placeholderText = (words: string): string =>
  `Replace ${words}, which the template left to you; in backticks it may stay.`;
