import { isRecord } from '@parley/core/json';

/** A member in which words of a template were left, such as `requirements[0].text`. */
interface LeftWords {
  readonly path: string;
  /** The words in their angle brackets, each once. */
  readonly words: string;
}

/** Matches two words or more in angle brackets, such as `<the calling service>`. Generics follow a name, and tags are one word. */
const PLACEHOLDER = /(?<!\w)<[\p{L}\d',.-]{1,40}(?: [\p{L}\d',.-]{1,40}){1,12}>/gu;
/** Matches what is meant as it stands. */
const CODE = /`[^`]*`/g;

/** A session has no value deeper than this. */
const MAX_DEPTH = 10;

/** The members of a session in which words of a template were left, in their order. Texts in backticks do not count. */
export function placeholdersIn(value: unknown, path = '', depth = 0): LeftWords[] {
  if (typeof value === 'string') {
    const found = new Set(value.replace(CODE, '').match(PLACEHOLDER));
    return found.size > 0 ? [{ path, words: [...found].join(', ') }] : [];
  }
  if (depth === MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => placeholdersIn(item, `${path}[${at}]`, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    placeholdersIn(member, path === '' ? name : `${path}.${name}`, depth + 1),
  );
}
