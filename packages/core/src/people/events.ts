import { z } from 'zod';
import { PersonRoleName } from '../areas/fields.ts';
import { defineEvents, message } from '../kernel/log/event-catalog.ts';

const Limit = z.int().optional();
/** The limits of an account. An absent limit means that the account may use any amount. */
const Limits = z.strictObject({ sessions: Limit, events: Limit, bytes: Limit });

/** The name of the person or account at the time of the event. Absent in events of earlier versions. */
const NameThen = z.string().optional();

/**
 * The events of the log of people and their accounts. The actor of each event is the owner; `person` is the person who made the
 * change.
 */
export const peopleEvents = defineEvents({
  'person.added': message(
    {
      person_id: z.string(),
      name: z.string(),
      role: PersonRoleName,
      /** SHA-256 of the key, hex. The key has 256 random bits, so the hash does not reveal the key. */
      key_hash: z.string(),
      /** The first 10 characters of the key. */
      key_prefix: z.string(),
      /** Absent for the first account. */
      account_id: z.string().optional(),
      /** The person who is the same human, and has a company account or another key. */
      same_person_as: z.string().optional(),
    },
    { seenBy: 'owner', omit: ['key_hash'] },
  ),
  /**
   * The first sign-in of a person whom a provider, such as an OpenID provider, has identified. The event has no
   * `person`, because no person made the change.
   */
  'person.admitted': message(
    {
      person_id: z.string(),
      name: z.string(),
      role: PersonRoleName,
      /** Id of the person at the provider: for OpenID Connect, the issuer, a space and `sub`. */
      subject: z.string(),
    },
    { seenBy: 'owner' },
  ),
  'person.role_changed': message({ person_id: z.string(), name: NameThen, role: PersonRoleName }, { seenBy: 'owner' }),
  'person.revoked': message({ person_id: z.string(), name: NameThen }, { seenBy: 'owner' }),
  /** The subject of a revoked person may sign in again. The next sign-in then admits a new person. */
  'person.readmitted': message({ person_id: z.string(), name: NameThen }, { seenBy: 'owner' }),
  'account.added': message({ account_id: z.string(), name: z.string() }, { seenBy: 'owner' }),
  /** All limits of the account after this event. A new account has no limits. */
  'account.limited': message({ account_id: z.string(), name: NameThen, limits: Limits }, { seenBy: 'owner' }),
  'account.renamed': message({ account_id: z.string(), name: z.string() }, { seenBy: 'owner' }),
  'account.closed': message({ account_id: z.string(), name: NameThen }, { seenBy: 'owner' }),
  'account.reopened': message({ account_id: z.string(), name: NameThen }, { seenBy: 'owner' }),
});
