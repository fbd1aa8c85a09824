/** RFC 6901: `~1` is read before `~0`, so that `~01` is `~1` and not `/`. */
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** The path of a member, or of an element, of what stands at a path. */
export const memberPath = (path: string, name: string | number): string =>
  `${path}/${typeof name === 'number' ? name : name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Why a text is no JSON Pointer; undefined when it is one. */
export function pointerFault(path: string): string | undefined {
  if (path !== '' && !path.startsWith('/')) return 'the path must begin with "/", or be empty for the whole contract';
  if (/~(?![01])/.test(path)) return 'the path holds a "~" without 0 or 1: write ~0 for "~" and ~1 for "/"';
  return undefined;
}

/** The names on the way down, the first of them always empty: it stands for the whole document. */
export const namesIn = (path: string): string[] => path.split('/').map(unescaped);
