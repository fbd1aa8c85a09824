import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { keysOf, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import { isRecord, parseOrNull } from '../../kernel/text/json-value.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import { sha256Hex } from '../../kernel/text/sha256.ts';
import { isLaterRevision } from '../contract/rules.ts';
import { Contract } from '../document/contract.ts';
import { readSection } from '../document/read-with.ts';
import { At } from '../fields.ts';
import { leftOutOf, termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import type { Reading, SectionRead } from './state.ts';

/** A top-level member of a contract, and the SHA-256 of its JSON. */
export interface Section {
  readonly section: string;
  readonly sha256: string;
}

const SCHEMA_ORDER = Object.keys(Contract.shape);

/** The position of a section in the contract's schema. A section that is not in the schema comes last. */
const placeOf = (section: string): number =>
  SCHEMA_ORDER.includes(section) ? SCHEMA_ORDER.indexOf(section) : SCHEMA_ORDER.length;

export const bySchema = (one: string, other: string): number => placeOf(one) - placeOf(other);

/**
 * The sections of a stored contract, in the order of the contract's schema.
 * @param text the RFC 8785 form of the contract
 */
export function sectionsOf(text: string): Section[] {
  const contract = parseOrNull(text);
  if (!isRecord(contract)) return [];
  return Object.entries(contract)
    .map(([section, value]) => ({ section, sha256: sha256Hex(JSON.stringify(value)) }))
    .toSorted((one, other) => bySchema(one.section, other.section));
}

/** The requirements of the session, which the owner reads as a section although they are not part of the contract. */
const REQUIREMENTS = 'requirements';

/**
 * The sections that the owner reads: the requirements of the session, then the sections of a stored contract. The
 * requirements never change.
 */
export function readSections({ profile }: SessionState, text: string): Section[] {
  const sections = sectionsOf(text);
  if (sections.some(({ section }) => section === REQUIREMENTS)) return sections;
  return [{ section: REQUIREMENTS, sha256: sha256Hex(JSON.stringify(profile.requirements)) }, ...sections];
}

/**
 * The sections of a revision that a brief asks the owner to read: not those that the author left out, as the profile of
 * the session allows, unless the owner has read another text there.
 */
export function sectionsToRead(state: SessionState, text: string): Section[] {
  const contract = parseOrNull(text);
  const leftOut = new Set<string>(isRecord(contract) ? leftOutOf(contract, termsOf(state)) : []);
  const isLeftOut = ({ section, sha256 }: Section): boolean =>
    leftOut.has(section) &&
    !valuesOf(state.reading)
      .flat()
      .some((read) => read.section === section && read.sha256 !== sha256);
  return readSections(state, text).filter((section) => !isLeftOut(section));
}

/** The member with which the owner reads a section. All members that are not in the schema are read together. */
const headingOf = ({ section }: Section): string =>
  section === REQUIREMENTS || SCHEMA_ORDER.includes(section) ? readSection(section) : '';

/** Number of sections as the owner reads them: sections that are read together count as one section. */
export const countHeadings = (sections: readonly Section[]): number => new Set(sections.map(headingOf)).size;

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

/** A section of a revision, and when the owner read its current text. */
export const SectionReadView = namedObject('SectionRead', {
  section: z.string().describe('Name of the top-level member, such as interfaces.'),
  read_at: At.nullable().describe(
    'When you read the present text of the section, in this or an earlier revision; null if you have not.',
  ),
});

export const viewSectionRead = (reading: Reading, section: Section): z.output<typeof SectionReadView> => ({
  section: section.section,
  read_at: readingOf(reading, section)?.at ?? null,
});
