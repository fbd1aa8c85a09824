import { signal } from '@preact/signals';
import { FIRST_PERSON_ID } from '../../../src/transcript/message.ts';
import type { Me } from '../api/types.ts';

/** The person who is signed in. Null before the first answer of the server. */
export const me = signal<Me | null>(null);

/** The roles, from the fewest rights to the most. Each role includes the rights of the roles before it. */
const ROLES: readonly Me['role'][] = ['viewer', 'operator', 'approver'];

/**
 * Whether the person has at least the role `needed`. True while the role is not known, because the server checks every
 * call anyway.
 */
export const hasRole = (needed: Me['role']): boolean =>
  me.value === null || ROLES.indexOf(me.value.role) >= ROLES.indexOf(needed);

/**
 * Whether the person of an event is the signed-in person. Events of early versions contain no person, and belong to the
 * holder of the owner key.
 */
export const isMe = (personId: string | undefined): boolean =>
  (personId ?? FIRST_PERSON_ID) === (me.value?.id ?? FIRST_PERSON_ID);
