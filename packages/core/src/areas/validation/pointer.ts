import { shownName } from '../../kernel/shown-name.ts';
import { credentialIn } from './credential-patterns.ts';

const MAX_SHOWN_CHARS = 60;

/** One member or index as RFC 6901 writes it. */
const segment = (part: string | number): string =>
  typeof part === 'number' ? `/${part}` : `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Whether a member name that somebody made up may stand in a pointer or a message. */
export const isShowable = (name: string): boolean =>
  name.length <= MAX_SHOWN_CHARS && shownName(name) === name && credentialIn(name) === null;

/** The RFC 6901 pointer of a path; it ends above a member whose name is too long to show, or secret. */
export function pointerTo(path: readonly PropertyKey[]): string {
  let pointer = '';
  for (const part of path) {
    if (typeof part === 'number') {
      pointer += segment(part);
    } else {
      const name = String(part);
      if (!isShowable(name)) return pointer;
      pointer += segment(name);
    }
  }
  return pointer;
}
