/**
 * For each top-level member of a contract that the owner reads together with another member: the other member. A map, because a
 * member can have any name, such as `constructor`.
 */
const READ_WITH: ReadonlyMap<string, string> = new Map([
  ['schema_version', 'summary'],
  ['title', 'summary'],
  ['scope', 'summary'],
  ['fixture_version', 'summary'],
  ['safety_conditions', 'risks'],
]);

/** The section as which the owner reads a top-level member of a contract. `markRead` accepts its name. */
export const readSection = (member: string): string => READ_WITH.get(member) ?? member;
