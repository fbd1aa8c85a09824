import { fail } from './errors.ts';
import { hidesLetters, isRoleName } from './name-key.ts';

/** The roles of people, from the fewest rights to the most. Each role includes the rights of the roles before it. */
export const PERSON_ROLES = ['viewer', 'operator', 'approver'] as const;

/**
 * What a person may do for an owner. `viewer` reads everything. `operator` may also write. `approver` may also approve, authorize,
 * override, release and delete.
 */
export type PersonRole = (typeof PERSON_ROLES)[number];

/** Who made a call of the owner. An event stores id and name as they were at that time. */
export interface PersonRef {
  readonly id: string;
  readonly name: string;
}

/** A person who calls the owner's operations. The embedding application has authenticated the person. */
export interface Person extends PersonRef {
  readonly role: PersonRole;
  /**
   * Whom the approvals of this person count for, if this is another person than the one with `id`: one human can have a key and a
   * company account.
   */
  readonly countsAs?: string;
}

/** Who makes the calls of an owner, and how to ask again. */
export interface Acting {
  /** If left out, the application itself makes the calls, and may make every call. */
  readonly person?: Person | undefined;
  /**
   * Returns the person with the present role. Asked before each decision of a write, because a call can wait long between
   * its authentication and its decision. Undefined, or a rejection with UNAUTHORIZED, refuses the call. If left out,
   * `person` makes the whole call.
   */
  readonly present?: (() => Promise<Person | undefined>) | undefined;
  /**
   * Returns a function that tells whether the person with an id is an approver at present. Approvals of anybody else do
   * not count. If left out, every approval counts. Instead of true, the function can return the `countsAs` of the person.
   */
  readonly approvers?: (() => Promise<(personId: string) => boolean | string>) | undefined;
}

/**
 * The holder of the owner key of an installation. The owner key exists before any person is added. It is not in the log
 * of people and cannot be revoked.
 */
export const FIRST_PERSON: Person = { id: 'owner', name: 'Owner', role: 'approver' };

/**
 * The account that exists before any other account is added. Its id is the owner id of its sessions. It cannot be
 * closed.
 */
export const FIRST_ACCOUNT = { id: 'owner', name: 'First account' } as const;

/** Whether a call was made by the holder of the owner key, or by the application without a person. */
export const isFirst = (person: PersonRef | undefined): boolean => !person || person.id === FIRST_PERSON.id;

/**
 * The session id and the owner id of the log of people in a storage. No session has this session id, and no owner has
 * this owner id.
 */
export const PEOPLE_LOG = { sessionId: 'people', ownerId: 'parley:people' } as const;

/** The beginning of the ids of the logs of erasures. No session has such an id, because ids of sessions have no hyphen. */
export const ERASURE_LOG_PREFIX = 'erased-';

/** The beginning of the ids of the logs of idempotency keys, and the owner id under which a storage keeps them. */
export const KEYED_LOG_PREFIX = 'keyed-';
export const KEYED_OWNER = 'parley:keyed';

/** The beginning of the ids of the logs of tokens for forges, and the owner id under which a storage keeps them. */
export const FORGE_TOKEN_LOG_PREFIX = 'forge-';
export const FORGE_TOKEN_OWNER = 'parley:forge';

/** The beginning of the ids of the logs of groups, and the owner id under which a storage keeps them. */
export const GROUP_LOG_PREFIX = 'group-';
export const GROUP_OWNER = 'parley:group';

/** The beginnings of the ids of all logs that are no sessions, apart from the log of people. */
export const OTHER_LOG_PREFIXES = [ERASURE_LOG_PREFIX, KEYED_LOG_PREFIX, FORGE_TOKEN_LOG_PREFIX, GROUP_LOG_PREFIX];

/** The owner id under which a storage keeps the log of an owner's erasures. */
export const erasureOwnerOf = (ownerId: string): string => `parley:erased:${ownerId}`;

/** Maximum length of a person's id and of a person's name, in characters. */
export const MAX_PERSON_CHARS = 200;

/**
 * Checks a person whom an application passes.
 *
 * @throws TypeError if a member is missing or not valid
 */
export function checkedPerson({ id, name, role, countsAs }: Person): Person {
  for (const [member, value] of Object.entries({ id, name }))
    if (!isLine(value))
      throw new TypeError(`person.${member} must be 1 to ${MAX_PERSON_CHARS} characters on one line.`);
  if (hidesLetters(name)) throw new TypeError('person.name must not contain an invisible, blank or private character.');
  if (isRoleName(name) && id !== FIRST_PERSON.id)
    throw new TypeError('person.name must not look like a name that Parley itself uses, such as Owner.');
  if (!PERSON_ROLES.includes(role)) throw new TypeError(`person.role must be one of ${PERSON_ROLES.join(', ')}.`);
  return { id, name, role, ...(countsAs === undefined ? {} : { countsAs }) };
}

/**
 * The person who makes a call now. Undefined for a call of the application itself.
 *
 * @throws ParleyError UNAUTHORIZED if the person may not make calls any more
 */
export async function presentPerson({ person, present }: Acting): Promise<Person | undefined> {
  if (!present) return person;
  return checkedPerson(
    (await present()) ?? fail('UNAUTHORIZED', 'The person who makes this call is not signed in any more.'),
  );
}

const isLine = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= MAX_PERSON_CHARS &&
  value.isWellFormed() &&
  !/[\p{Cc}\u2028\u2029]/u.test(value);

/** Whether `role` has all rights of the role `needed`. */
export const hasRightsOf = (role: PersonRole, needed: PersonRole): boolean =>
  PERSON_ROLES.indexOf(role) >= PERSON_ROLES.indexOf(needed);

/**
 * Refuses a call if the person's role lacks the rights of `needed`. A call without a person was made by the application itself, and
 * is not refused.
 *
 * @throws ParleyError ROLE_FORBIDDEN
 */
export function requireRole(person: Person | undefined, needed: PersonRole, call: string): void {
  if (!person || hasRightsOf(person.role, needed)) return;
  fail('ROLE_FORBIDDEN', `${call} needs the role ${needed}; your role is ${person.role}.`, { required_role: needed });
}
