import { signal } from '@preact/signals';
import type { Me } from '../api/types.ts';

/** The person who is signed in. Null before the first answer of the server. */
export const me = signal<Me | null>(null);

/** The roles, from the fewest rights to the most. Each role includes the rights of the roles before it. */
const ROLES: readonly Me['role'][] = ['viewer', 'operator', 'approver'];

/** Whether the person may make calls that need a role. True before the role is known: the server checks every call. */
export const hasRole = (needed: Me['role']): boolean =>
  me.value === null || ROLES.indexOf(me.value.role) >= ROLES.indexOf(needed);

/** Whether the speaker of a message has the same name as the person who is signed in. */
export function isMe(speaker: string): boolean {
  const name = me.value?.name ?? 'Owner';
  return speaker === name || speaker === `${name} (owner)`;
}

/** Id of the holder of the first key. */
export const FIRST_PERSON_ID = 'owner';
