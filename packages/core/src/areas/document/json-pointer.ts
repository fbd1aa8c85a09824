import { isRecord } from '../../kernel/text/json-value.ts';

/**
 * Decodes a part of a JSON Pointer (RFC 6901). Decodes `~1` before `~0`, because otherwise `~01` would become `/`
 * instead of `~1`.
 */
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

export const memberPath = (path: string, name: string | number): string =>
  `${path}/${typeof name === 'number' ? name : name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The reason why a text is not a JSON Pointer. Undefined if the text is a JSON Pointer. */
export function pointerFault(path: string): string | undefined {
  if (path !== '' && !path.startsWith('/')) return 'the path must begin with "/", or be empty for the whole contract';
  if (/~(?![01])/.test(path)) return 'the path contains a "~" without 0 or 1: write ~0 for "~" and ~1 for "/"';
  return undefined;
}

/** The names in a JSON Pointer. The first name is always empty, because it stands for the whole value. */
export const namesIn = (path: string): string[] => path.split('/').map(unescaped);

/** The value at a JSON Pointer. Undefined if there is no value. */
export const valueAtPointer = (value: unknown, pointer: string): unknown =>
  namesIn(pointer).slice(1).reduce(memberOf, value);

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,5})$/.test(name) ? value[Number(name)] : undefined;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
