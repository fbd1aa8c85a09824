import { echoName } from '../../kernel/safe-echo.ts';
import { credentialIn } from '../credentials/scan.ts';
import { memberPath } from '../document/json-pointer.ts';

/** Faults stand in blockers, which others read: a sentence that somebody made a member's name is not repeated there. */
const NAME = /^[\w$@#.,:;/^*+?|()[\]{}\\~=-]{1,60}$/;

/** Whether a member name that somebody made up may stand in a pointer or a message. */
export const isShowable = (name: string): boolean =>
  NAME.test(name) && echoName(name) === name && credentialIn(name) === null;

/** The RFC 6901 pointer of a path; it ends above a member whose name is long, secret or a sentence. */
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
