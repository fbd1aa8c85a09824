import { shownName } from '../../kernel/shown-name.ts';
import { memberPath } from '../contract/json-pointer.ts';
import { credentialIn } from '../credentials/scan.ts';

const MAX_SHOWN_CHARS = 60;

/** Whether a member name that somebody made up may stand in a pointer or a message. */
export const isShowable = (name: string): boolean =>
  name.length <= MAX_SHOWN_CHARS && shownName(name) === name && credentialIn(name) === null;

/** The RFC 6901 pointer of a path; it ends above a member whose name is too long to show, or secret. */
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
