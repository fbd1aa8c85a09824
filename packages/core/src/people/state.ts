import { z } from 'zod';
import { PersonRoleName } from '../areas/fields.ts';
import type { OwnerLimits } from '../kernel/engine/owner-allowances.ts';
import type { LoggedEvent } from '../kernel/log/event.ts';
import { type DraftsOf, defineEvents, type EventsOf, message } from '../kernel/log/event-catalog.ts';
import {
  emptyMap,
  lookUp,
  type PersistentMap,
  valuesOf,
  withEntry,
  withoutEntry,
} from '../kernel/log/persistent-collections.ts';
import { ALL_VISIBLE, hidesLetters, isRoleName, lookKey, nameFault, nameKey, visibleName } from '../kernel/name-key.ts';
import { refuseInput } from '../kernel/operation/input.ts';
import type { SessionRoot } from '../kernel/operation/operation.ts';
import {
  FIRST_ACCOUNT,
  hasRightsOf,
  isFirst,
  PEOPLE_LOG,
  type Person,
  type PersonRef,
  type PersonRole,
} from '../kernel/person.ts';
import { ownLogDomain } from '../kernel/session/own-log.ts';

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

/** The text of a new name of a person or an account, in Unicode form NFC. @throws ParleyError INVALID_INPUT */
export function givenName(given: string): string {
  const name = given.trim().normalize('NFC');
  const fault = nameFault(name);
  if (fault !== undefined) refuseInput([{ path: 'name', message: fault }]);
  if (isRoleName(name)) refuseName('Parley itself uses this name.');
  return name;
}

export const refuseName = (message: string): never =>
  refuseInput([{ path: 'name', message: `${message} Choose another name.` }]);

/** Finds the one whose name readers could take for a given name. */
export function createNameSearch<T extends { readonly name: string }>(
  named: readonly T[],
): (name: string) => T | undefined {
  const byKey = new Map(named.flatMap((one) => keysOf(one.name).map((key) => [key, one] as const)));
  return (name) =>
    keysOf(name)
      .map((key) => byKey.get(key))
      .find(Boolean);
}

const keysOf = (name: string): string[] => [`name ${nameKey(name)}`, `look ${lookKey(name)}`];

/**
 * The name of a person in the log, without the hidden characters that earlier versions accepted. A name made of the person's
 * id if readers could take the name for one that Parley itself uses.
 */
export function knownName(name: string, id: string): string {
  const shown = hidesLetters(name) ? visibleName(name) : name;
  return shown === '' || isRoleName(shown) ? nameOfId(id) : shown;
}

/** The name of a person whose own name cannot be used. */
export const nameOfId = (id: string): string => `Person ${id}`;

const FROM_PROXY = 'proxy ';

/**
 * The subject of a user whom a proxy names. A user has no id that stays the same, so names of users that differ only in letter
 * case or in composed letters are one subject (RFC 8265, UsernameCaseMapped). Other forms of a name stay subjects of their own,
 * so that nobody gets the subject of another person by them.
 */
export const proxySubject = (user: string): string => FROM_PROXY + (isPlain(user) ? nameKey(user) : user);

/** The subject under which the state finds a person. An id of an OpenID provider stays as it is. */
export const knownSubject = (subject: string): string =>
  subject.startsWith(FROM_PROXY) ? proxySubject(subject.slice(FROM_PROXY.length)) : subject;

/** Whether a new person can have this subject: the name of a user whom a proxy names has no hidden and no special letters. */
export const isPlainSubject = (subject: string): boolean =>
  !subject.startsWith(FROM_PROXY) || isPlain(subject.slice(FROM_PROXY.length));

const isPlain = (user: string): boolean => ALL_VISIBLE.test(user) && user.normalize('NFKC') === user.normalize('NFC');

export type PeopleDraft = DraftsOf<typeof peopleEvents>;
type PeopleEvent = EventsOf<typeof peopleEvents>;

/**
 * The time of a change, such as the revocation of a person, and the person who made it. `by` is null if the event names
 * no person.
 */
interface Change {
  readonly at: string;
  readonly by: PersonRef | null;
}

export const byOf = ({ by }: Change): PersonRef | null => by && { ...by };

/** A person in the state of the log of people. */
export interface KnownPerson extends Person {
  readonly accountId: string;
  /** SHA-256 of the key, hex, and its first characters. Absent for a person without a key. */
  readonly key?: { readonly hash: string; readonly prefix: string };
  /** Id of the person at the provider that identified the person. Absent for a person with a key. */
  readonly subject?: string;
  /** The id of the person who is the same human: the approvals of both count as one. */
  readonly sameAs?: string;
  readonly added: Change;
  /** Absent while the person is not revoked. */
  readonly revoked?: Change;
  /** The change that allowed the company account of the revoked person to sign in again. */
  readonly readmitted?: Change;
}

/** An account in the state of the log of people. Its id is the owner id of its sessions. */
export interface KnownAccount {
  readonly id: string;
  readonly name: string;
  readonly limits: OwnerLimits;
  /**
   * How often approvers of the account have added or readmitted a person or changed a role. Changes with the owner key do not
   * count.
   */
  readonly changes: number;
  /** Absent for the first account, which exists from the start. */
  readonly added?: Change;
  /** Absent while the account is open. */
  readonly closed?: Change | undefined;
}

interface GroupChanges {
  readonly count: number;
  /** The person who was changed last. */
  readonly personId: string;
}

/** The state of the log of people. */
export interface PeopleState extends SessionRoot {
  /** Every person who was ever added, by id. */
  readonly people: PersistentMap<KnownPerson>;
  /** The ids of the people whose keys are valid, by the SHA-256 of the key. */
  readonly idByKeyHash: PersistentMap<string>;
  /** The id of the latest person with each subject. A subject that was readmitted is absent until its next sign-in. */
  readonly idBySubject: PersistentMap<string>;
  /** By subject: how often groups gave the person another role or admitted the person, since an approver readmitted the person. */
  readonly groupChanges: PersistentMap<GroupChanges>;
  /** The first account, and every account that was ever added, by id. */
  readonly accounts: PersistentMap<KnownAccount>;
}

export const peopleDomain = ownLogDomain<PeopleState>({
  ...{ catalog: peopleEvents, ownerId: PEOPLE_LOG.ownerId, title: 'People', phase: 'PEOPLE' },
  start: {
    people: emptyMap(),
    idByKeyHash: emptyMap(),
    idBySubject: emptyMap(),
    groupChanges: emptyMap(),
    accounts: withEntry<KnownAccount>(emptyMap(), FIRST_ACCOUNT.id, { ...FIRST_ACCOUNT, limits: {}, changes: 0 }),
  },
  evolve(state, event) {
    const changed = evolvePeople(state, event);
    const next = { ...state, ...changed };
    return { ...changed, accounts: withChange(next, event), groupChanges: withGroupChange(next, event) };
  },
});

function evolvePeople(state: PeopleState, logged: LoggedEvent): Partial<PeopleState> {
  const { people, idByKeyHash, idBySubject, accounts } = state;
  const event = logged as PeopleEvent;
  const change: Change = { at: event.at, by: event.person ?? null };
  switch (event.kind) {
    case 'person.added': {
      const { person_id: id, name, role, key_hash: hash, key_prefix: prefix } = event.data;
      const { account_id: accountId = FIRST_ACCOUNT.id, same_person_as: sameAs } = event.data;
      const known = { id, name: knownName(name, id), role, accountId, key: { hash, prefix }, added: change };
      const added = sameAs === undefined ? known : { ...known, sameAs };
      return { people: withEntry(people, id, added), idByKeyHash: withEntry(idByKeyHash, hash, id) };
    }
    case 'person.admitted': {
      const { person_id: id, role } = event.data;
      const [name, subject] = [knownName(event.data.name, id), knownSubject(event.data.subject)];
      const admitted = { id, name, role, accountId: FIRST_ACCOUNT.id, subject, added: change };
      const others = withoutEarlier(people, lookUp(idBySubject, subject), change);
      return { people: withEntry(others, id, admitted), idBySubject: withEntry(idBySubject, subject, id) };
    }
    case 'person.role_changed': {
      const { person_id: id, role } = event.data;
      return { people: withEntry(people, id, { ...knownIn(people, id), role }) };
    }
    case 'person.revoked': {
      const known = knownIn(people, event.data.person_id);
      return {
        people: withEntry(people, known.id, { ...known, revoked: change }),
        ...(known.key ? { idByKeyHash: withoutEntry(idByKeyHash, known.key.hash) } : {}),
      };
    }
    case 'person.readmitted': {
      const known = knownIn(people, event.data.person_id);
      return {
        people: withEntry(people, known.id, { ...known, readmitted: change }),
        ...(known.subject === undefined ? {} : { idBySubject: withoutEntry(idBySubject, known.subject) }),
      };
    }
    default:
      return { accounts: evolveAccounts(accounts, event, change) };
  }
}

/**
 * Earlier versions admitted a person once for each spelling of a user's name. Of these people only the latest is living; the
 * earlier one is like a revoked person whose company account may sign in again.
 */
function withoutEarlier(people: PeopleState['people'], earlierId: string | undefined, change: Change) {
  if (earlierId === undefined) return people;
  const earlier = knownIn(people, earlierId);
  return withEntry(people, earlierId, { ...earlier, revoked: earlier.revoked ?? change, readmitted: change });
}

const COUNTED: ReadonlySet<string> = new Set(['person.added', 'person.role_changed', 'person.readmitted']);

/** Counts a change that an approver made to a person, in the account of that person. */
function withChange({ people, accounts }: PeopleState, logged: LoggedEvent): PeopleState['accounts'] {
  if (!COUNTED.has(logged.kind) || isFirst(logged.person)) return accounts;
  const { accountId } = knownIn(people, String(Object(logged.data).person_id));
  const account = knownIn(accounts, accountId);
  return withEntry(accounts, accountId, { ...account, changes: account.changes + 1 });
}

/** Counts a change that nobody but the groups of a company account made. A person who readmits it ends the count. */
function withGroupChange({ people, groupChanges }: PeopleState, { kind, person, data }: LoggedEvent) {
  const { id = '', subject } = lookUp(people, String(Object(data).person_id)) ?? {};
  if (subject === undefined) return groupChanges;
  if (kind === 'person.readmitted' && person) return withoutEntry(groupChanges, subject);
  if (person || (kind !== 'person.admitted' && kind !== 'person.role_changed')) return groupChanges;
  const { count = 0 } = lookUp(groupChanges, subject) ?? {};
  return withEntry(groupChanges, subject, { count: count + 1, personId: id });
}

type AccountEvent = Extract<PeopleEvent, { readonly kind: `account.${string}` }>;

function evolveAccounts(accounts: PeopleState['accounts'], { kind, data }: AccountEvent, change: Change) {
  const { account_id: id } = data;
  switch (kind) {
    case 'account.added':
      return withEntry(accounts, id, { id, name: data.name, limits: {}, changes: 0, added: change });
    case 'account.limited':
      return withEntry(accounts, id, { ...knownIn(accounts, id), limits: data.limits });
    case 'account.renamed':
      return withEntry(accounts, id, { ...knownIn(accounts, id), name: data.name });
    case 'account.closed':
      return withEntry(accounts, id, { ...knownIn(accounts, id), closed: change });
    case 'account.reopened':
      return withEntry(accounts, id, { ...knownIn(accounts, id), closed: undefined });
  }
}

/** The person or account with this id. Throws an error if there is none, because the log is then corrupt. */
function knownIn<T>(records: PersistentMap<T>, id: string): T {
  const known = lookUp(records, id);
  if (!known)
    throw new Error(
      'The log of people is corrupt: it contains a change to a person or an account that was never added.',
    );
  return known;
}

/** The person with this id, if the person may sign in: the person is not revoked, and the account is open. */
export function livingPerson({ people, accounts }: PeopleState, id: string): KnownPerson | undefined {
  const known = lookUp(people, id);
  return known && !known.revoked && isOpen(accounts, known.accountId) ? known : undefined;
}

const isOpen = (accounts: PeopleState['accounts'], id: string): boolean => lookUp(accounts, id)?.closed === undefined;

/** The people who are not revoked, oldest first. Their accounts may be closed. */
export const unrevoked = ({ people }: PeopleState): readonly KnownPerson[] =>
  valuesOf(people).filter(({ revoked }) => !revoked);

/**
 * The id of the person as whom the approvals of a person count: of the person who is the same human, and of a company account the
 * id that it has now.
 */
export function humanOf(state: PeopleState, id: string): string {
  const { sameAs, subject } = lookUp(state.people, id) ?? {};
  if (sameAs !== undefined) return humanOf(state, sameAs);
  return subject === undefined ? id : (lookUp(state.idBySubject, subject) ?? id);
}

/** Whether a person may sign in and has the rights of the role. True for a person who is not in the log. */
export function standsAs(state: PeopleState, id: string, needed: PersonRole): boolean {
  const living = livingPerson(state, id);
  return living ? hasRightsOf(living.role, needed) : lookUp(state.people, id) === undefined;
}
