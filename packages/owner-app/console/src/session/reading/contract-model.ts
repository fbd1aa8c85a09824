import { isRecord } from '@parley/core/json';
import { readSection } from '@parley/core/reading';
import { type Json, readAs } from '../../../../src/text/read-as.ts';
import type { ChangedSection } from '../../../../src/text/records/contract-news.ts';
import type { ContractPart } from '../shown-parts.ts';

export interface Section {
  readonly id: SectionId;
  readonly title: string;
  /**
   * The top-level members of the contract that the section shows. For the requirements of the session, the name under
   * which the service stores that they were read.
   */
  readonly members: readonly string[];
  /** The parts of the contract that the section shows. The outline lists them. */
  readonly parts: readonly ContractPart[];
}

/** Id, title, and the member with which the owner reads the members of the section, as `readSection` returns it. */
const SECTIONS = [
  ['summary', 'Summary', 'summary'],
  ['requirements', 'Requirements', 'requirements'],
  ['decisions', 'Decisions', 'decisions'],
  ['interfaces', 'Interfaces', 'interfaces'],
  ['models', 'Data models', 'data_models'],
  ['tasks', 'Tasks', 'tasks'],
  ['tests', 'Tests', 'tests'],
  ['gates', 'Gates', 'gates'],
  ['rollout', 'Rollout', 'rollout'],
  ['risks', 'Risks and safety', 'risks'],
  ['dependencies', 'Dependencies', 'dependencies'],
  ['artifacts', 'Artifacts', 'artifacts'],
] as const;

export type SectionId = (typeof SECTIONS)[number][0] | 'other';

/**
 * For each list of the contract whose records have ids: the kind of the records, and the member that contains their
 * title.
 */
const LISTS = [
  ['interfaces', 'interface', 'name'],
  ['data_models', 'data model', 'name'],
  ['tasks', 'task', 'title'],
  ['tests', 'test', 'title'],
  ['gates', 'gate', 'title'],
  ['risks', 'risk', 'text'],
  ['safety_conditions', 'safety condition', 'text'],
] as const;

/**
 * Returns the parts in these members of a contract, even if the contract is invalid. Records without an id are left
 * out.
 */
const partsIn = (contract: Json, members: readonly string[]): ContractPart[] =>
  LISTS.filter(([list]) => members.includes(list)).flatMap(([list, kind, title]) =>
    (readAs(contract, { [list]: 'records' })[list] ?? []).flatMap((value) => {
      const { id, [title]: shown } = readAs(value, { id: 'text', name: 'text', title: 'text', text: 'text' });
      return id === '' ? [] : [{ kind, id, title: shown, value }];
    }),
  );

/** Converts the requirements of the session to parts, so that their ids become links. */
export const requirementParts = (
  requirements: readonly { readonly requirement_id: string; readonly text: string }[],
): ContractPart[] =>
  requirements.map((requirement) => ({
    kind: 'requirement',
    id: requirement.requirement_id,
    title: requirement.text,
    value: { ...requirement },
  }));

/**
 * Divides a contract into sections, in the order in which they are shown. The section `other` contains the members that
 * belong to none of `SECTIONS`.
 */
export function sectionsOf(contract: Json, requirements: readonly ContractPart[]): Section[] {
  const membersIn = (id: SectionId): string[] => Object.keys(contract).filter((member) => idOfMember(member) === id);
  const sections = SECTIONS.map(([id, title]) => ({
    id,
    title,
    members: id === 'requirements' ? [id] : membersIn(id),
    parts: id === 'requirements' ? requirements : partsIn(contract, membersIn(id)),
  }));
  const shown: Section[] = sections.filter(({ members }) => members.length > 0);
  const others = membersIn('other');
  return others.length === 0 ? shown : [...shown, { id: 'other', title: 'Other members', members: others, parts: [] }];
}

/** Whether a section of a contract says nothing. */
export const isEmptySection = ({ id, members }: Section, contract: Json | null): boolean =>
  id !== 'requirements' && members.every((member) => isEmpty(contract?.[member]));

/** Whether a value says nothing: an empty list or text, or an object of such values. */
const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.values(value).every(isEmpty));

/** The section of a member in a contract. The requirements of the session are not a member of the contract. */
const idOfMember = (member: string): SectionId => (member === 'requirements' ? 'other' : sectionOfMember(member).id);

/** Returns the section that shows a top-level member of the contract. */
export function sectionOfMember(member: string): { readonly id: SectionId; readonly title: string } {
  const found = SECTIONS.find(([, , head]) => head === readSection(member));
  return found ? { id: found[0], title: found[1] } : { id: 'other', title: 'Other members' };
}

/** Returns the contract as an object, or null if the stored value is not a JSON object. */
export function contractOf(stored: unknown): Json | null {
  return isRecord(stored) ? stored : null;
}

/** The number of changes in each section. */
export function newsOfSections(changed: readonly ChangedSection[]): ReadonlyMap<SectionId, number> {
  const counts = new Map<SectionId, number>();
  for (const { section, count } of changed) {
    const { id } = sectionOfMember(section);
    counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return counts;
}

/** The next section that is unread, after the given section and then from the first section on. */
export function nextUnread(
  sections: readonly Section[],
  isRead: (section: Section) => boolean | undefined,
  after: SectionId | null,
): Section | undefined {
  const index = sections.findIndex(({ id }) => id === after);
  const others = [...sections.slice(index + 1), ...sections.slice(0, Math.max(0, index))];
  return others.find((section) => isRead(section) === false);
}
