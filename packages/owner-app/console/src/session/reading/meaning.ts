import type { Changes } from '../../api/types.ts';

export type Change = Changes['sections'][number]['records'][number]['changes'][number];

/**
 * The description of a change without the beginning of an added or removed text, because the page shows this text in
 * full below. The description of another change is returned as it is.
 */
export function meaningWithoutText({ meaning, before, after }: Pick<Change, 'meaning' | 'before' | 'after'>): string {
  const text = before === null ? after : after === null ? before : null;
  if (text === null) return meaning;
  const line = text.replaceAll(/\s+/g, ' ').trim();
  for (let at = meaning.indexOf(': '); at >= 0; at = meaning.indexOf(': ', at + 1)) {
    const quoted = meaning.slice(at + 2).replace(/…$/, '');
    if (quoted !== '' && line.startsWith(quoted)) return meaning.slice(0, at);
  }
  return meaning;
}
