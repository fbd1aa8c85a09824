import { plural } from '../counted.ts';

/** For each top-level member of a contract that the owner reads together with another member: the other member. */
const READ_WITH: Readonly<Record<string, string>> = {
  schema_version: 'summary',
  title: 'summary',
  scope: 'summary',
  fixture_version: 'summary',
  safety_conditions: 'risks',
};

/** The section as which the owner reads a top-level member. `mark-read` accepts its name. */
export const readSection = (member: string): string => READ_WITH[member] ?? member;

/** The sections as which the owner reads these members, each once. */
export const readSections = (members: readonly string[]): string[] => [...new Set(members.map(readSection))];

/** How much of the contract the owner has read: `9 of 12 sections read`. */
export const readingText = (of: number, read: number): string => `${read} of ${plural(of, 'section')} read`;
