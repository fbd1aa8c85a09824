import { PERSON_ROLES, type PersonRole } from '@parley/core';

/**
 * The role of each group's members, by the name of the group. Everybody who signs in has at least the role of `*`.
 */
export type RoleMapping = ReadonlyMap<string, PersonRole>;

const MAX_GROUP_CHARS = 500;

/**
 * Parses a mapping such as `parley-admins=approver,developers=operator,*=viewer`. The last `=` of each part separates
 * the group from the role.
 *
 * @returns undefined if the text has another form, or if a group appears twice
 */
export function parseRoles(text: string): RoleMapping | undefined {
  const mapping = new Map<string, PersonRole>();
  for (const entry of text.split(',')) {
    const at = entry.lastIndexOf('=');
    const group = entry.slice(0, at).trim();
    const role = PERSON_ROLES.find((one) => one === entry.slice(at + 1).trim());
    if (at < 1 || group === '' || group.length > MAX_GROUP_CHARS || !role || mapping.has(group)) return undefined;
    mapping.set(group, role);
  }
  return mapping;
}

/**
 * The highest role that `mapping` gives to the groups and to `*`. Undefined if none of them has a role. Names of groups
 * are case-sensitive.
 */
export function roleOf(mapping: RoleMapping, groups: readonly string[]): PersonRole | undefined {
  const roles = [...groups, '*'].flatMap((group) => mapping.get(group) ?? []);
  return PERSON_ROLES.findLast((role) => roles.includes(role));
}
