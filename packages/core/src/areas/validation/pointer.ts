import { echoName } from '../../kernel/text/safe-echo.ts';
import { credentialIn } from '../credentials/scan.ts';
import { memberPath } from '../document/json-pointer.ts';

/**
 * The names of members that a pointer may show. Other agents read pointers, so a pointer must not contain whole
 * sentences of an agent.
 */
const NAME = /^[\w$@#.,:;/^*+?|()[\]{}\\~=-]{1,60}$/;

/** Whether a pointer or a message may show this name, which an agent has chosen. */
export const isShowable = (name: string): boolean =>
  NAME.test(name) && echoName(name) === name && credentialIn(name) === null;

/** The JSON Pointer (RFC 6901) of a path. It ends before the first member whose name must not be shown. */
export function pointerTo(path: readonly PropertyKey[]): string {
  let pointer = '';
  for (const part of path) {
    if (typeof part === 'number') {
      pointer = memberPath(pointer, part);
    } else {
      const name = String(part);
      if (!isShowable(name)) return pointer;
      pointer = memberPath(pointer, name);
    }
  }
  return pointer;
}
