import { echoName } from '../../kernel/safe-echo.ts';
import { credentialIn } from '../credentials/scan.ts';
import { memberPath } from '../document/json-pointer.ts';

/**
 * A member name that a pointer may contain. Other agents read pointers in blockers, so a pointer must not repeat a
 * sentence.
 */
const NAME = /^[\w$@#.,:;/^*+?|()[\]{}\\~=-]{1,60}$/;

/** Whether a member name chosen by an agent may appear in a pointer or a message. */
export const isShowable = (name: string): boolean =>
  NAME.test(name) && echoName(name) === name && credentialIn(name) === null;

/** The RFC 6901 pointer of a path. The pointer ends before a member whose name is long, a credential or a sentence. */
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
