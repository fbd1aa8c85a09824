/** RFC 6901: decodes `~1` before `~0`, so that `~01` becomes `~1` and not `/`. */
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** The pointer to a member or an element of the value at a path. */
export const memberPath = (path: string, name: string | number): string =>
  `${path}/${typeof name === 'number' ? name : name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Why a text is not a JSON Pointer; undefined if it is valid. */
export function pointerFault(path: string): string | undefined {
  if (path !== '' && !path.startsWith('/')) return 'the path must begin with "/", or be empty for the whole contract';
  if (/~(?![01])/.test(path)) return 'the path holds a "~" without 0 or 1: write ~0 for "~" and ~1 for "/"';
  return undefined;
}

/** The names of a path. The first is always empty: it stands for the whole document. */
export const namesIn = (path: string): string[] => path.split('/').map(unescaped);
