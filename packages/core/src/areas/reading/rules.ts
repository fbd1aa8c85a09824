import { fail } from '../../kernel/errors.ts';
import { keysOf, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import { isLaterRevision } from '../contract/rules.ts';
import { headingOf, type Section } from './sections.ts';
import type { Reading, SectionRead } from './state.ts';

/** In the input of `markRead`, this name selects every section of a revision. */
export const ALL_SECTIONS = 'all';

/**
 * The sections that an input names, and those that the owner reads together with a named section. Refuses a name that no
 * section has.
 */
export function namedSections(sections: readonly Section[], names: readonly string[]): readonly Section[] {
  if (names.includes(ALL_SECTIONS)) return sections;
  const unknown = names.find((name) => !sections.some(({ section }) => section === name));
  if (unknown === undefined)
    return sections.filter((one) => names.includes(one.section) || names.includes(headingOf(one)));
  const known = sections.map(({ section }) => section).join(', ');
  const message = `The revision has no section ${quotedName(unknown)}. Its sections are ${known}; "${ALL_SECTIONS}" selects every section.`;
  return fail('INVALID_INPUT', message, { issues: [{ path: 'sections', message }] });
}

/**
 * The stored record of the owner's reading of this section, in this revision or in another revision in which the
 * section has the same text. Undefined if the owner has not read the text.
 */
export const readingOf = (reading: Reading, { section, sha256 }: Section): SectionRead | undefined =>
  valuesOf(reading)
    .flat()
    .findLast((read) => read.section === section && read.sha256 === sha256);

/** The given sections that are not yet stored as read for this revision. */
export function newlyRead(reading: Reading, revisionId: string, sections: readonly Section[]): readonly Section[] {
  const known = lookUp(reading, revisionId) ?? [];
  return sections.filter(({ section }) => !known.some((read) => read.section === section));
}

/** The newest earlier revision of which the owner has read a section, or that the owner has approved. Null if there is none. */
export const lastReadBefore = (reading: Reading, revisionId: string): string | null =>
  keysOf(reading)
    .filter((id) => isLaterRevision(revisionId, id))
    .reduce<string | null>((newest, id) => (newest === null || isLaterRevision(id, newest) ? id : newest), null);
