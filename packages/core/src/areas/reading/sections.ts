import { isRecord, parseOrNull } from '../../kernel/text/json-value.ts';
import { sha256Hex } from '../../kernel/text/sha256.ts';
import { Contract } from '../document/contract.ts';
import { readSection } from '../document/read-with.ts';
import type { SessionState } from '../state.ts';

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

/** The member with which the owner reads a section. All members that are not in the schema are read together. */
export const headingOf = ({ section }: Section): string =>
  section === REQUIREMENTS || SCHEMA_ORDER.includes(section) ? readSection(section) : '';

/** Number of sections as the owner reads them: sections that are read together count as one section. */
export const countHeadings = (sections: readonly Section[]): number => new Set(sections.map(headingOf)).size;
