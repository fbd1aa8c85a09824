import { z } from 'zod';
import { PersonRoleName } from '../areas/fields.ts';
import { defineEvents } from '../kernel/log/event-catalog.ts';

const Limit = z.int().optional();
/** The limits of an account. A limit that is absent does not limit. */
const Limits = z.strictObject({ sessions: Limit, events: Limit, bytes: Limit });

/** The name of the person or account then. Absent in events that were stored before names were. */
const NameThen = z.string().optional();

/** The events of the log of people and of their accounts. The actor of each is the owner; its person is who made the change. */
export const peopleEvents = defineEvents({
  'person.added': {
    v: 1,
    seenBy: 'owner',
    message: true,
    omit: ['key_hash'],
    data: z.strictObject({
      person_id: z.string(),
      name: z.string(),
      role: PersonRoleName,
      /** SHA-256 of the key, hex. The key has 256 random bits, so that its hash reveals nothing about it. */
      key_hash: z.string(),
      /** The first 10 characters of the key. */
      key_prefix: z.string(),
      /** Absent for the first account. */
      account_id: z.string().optional(),
    }),
  },
  /** The first sign-in of a person whom somebody else identifies, such as an OpenID provider. The event names nobody as its maker. */
  'person.admitted': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({
      person_id: z.string(),
      name: z.string(),
      role: PersonRoleName,
      /** Who the person is for the one that identified the person: for OpenID Connect, the issuer, a space and `sub`. */
      subject: z.string(),
    }),
  },
  'person.role_changed': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({ person_id: z.string(), name: NameThen, role: PersonRoleName }),
  },
  'person.revoked': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({ person_id: z.string(), name: NameThen }),
  },
  /** The subject of a revoked person may sign in again. The next sign-in then admits a new person. */
  'person.readmitted': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({ person_id: z.string(), name: NameThen }),
  },
  'account.added': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({ account_id: z.string(), name: z.string() }),
  },
  /** All limits that the account has from now on. An account is added without limits. */
  'account.limited': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({ account_id: z.string(), name: NameThen, limits: Limits }),
  },
  'account.renamed': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({ account_id: z.string(), name: z.string() }),
  },
  'account.closed': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({ account_id: z.string(), name: NameThen }),
  },
  'account.reopened': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({ account_id: z.string(), name: NameThen }),
  },
});
