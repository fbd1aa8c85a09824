import { fail } from '../kernel/errors.ts';
import { lookUp } from '../kernel/log/persistent-collections.ts';
import { nameFault, visibleName } from '../kernel/name-key.ts';
import {
  type Acting,
  FIRST_ACCOUNT,
  FIRST_PERSON,
  hasRightsOf,
  isFirst,
  PEOPLE_LOG,
  type Person,
  type PersonRole,
  presentPerson,
  requireRole,
} from '../kernel/person.ts';
import { type OwnLog, type OwnLogParts, openOwnLog } from '../kernel/session/own-log.ts';
import { counted, plural } from '../kernel/text/readable.ts';
import { echoName } from '../kernel/text/safe-echo.ts';
import { type RandomBytes, randomText } from '../kernel/token/token.ts';
import { Name, PEOPLE_METHODS, type PeopleMethod } from './methods.ts';
import {
  createNameSearch,
  isPlainSubject,
  type KnownPerson,
  knownName,
  knownSubject,
  livingPerson,
  nameOfId,
  type PeopleDraft,
  type PeopleState,
  peopleDomain,
  unrevoked,
} from './state.ts';

export type PeopleLog = OwnLog<PeopleState, PeopleDraft>;

/** Opens the log of people. The storage contains the log only after its first event is stored. */
export const openPeopleLog = (
  parts: Pick<OwnLogParts<PeopleState>, 'storage' | 'clock' | 'random' | 'onState'>,
): PeopleLog => openOwnLog({ ...parts, domain: peopleDomain, sessionId: PEOPLE_LOG.sessionId, about: 'people' });

/** Stores the events that `decide` returns. `decide` gets the newest state, and the caller as that state has the caller. */
export type ChangePeople = (
  name: PeopleMethod,
  decide: (state: PeopleState, caller: Person | undefined) => readonly PeopleDraft[],
) => Promise<PeopleState>;

/**
 * Returns the function by which all calls about people and accounts store their events. It judges the caller on the
 * state to which the events are appended. So a call that waited while the caller was revoked is refused.
 */
export const changesBy =
  (log: PeopleLog, acting: Acting): ChangePeople =>
  (name, decide) =>
    log.change(
      () => presentPerson(acting),
      (state, person) => {
        const caller = callerIn(state, person);
        requireRole(caller, PEOPLE_METHODS[name].role, name);
        return decide(state, caller);
      },
    );

/**
 * The caller with the role of this state. The holder of the owner key, and a person whom an application passes and who
 * is not in the log, have the role that they were passed with.
 *
 * @throws ParleyError UNAUTHORIZED if the person was revoked or the person's account is closed
 */
function callerIn(state: PeopleState, person: Person | undefined): Person | undefined {
  if (!person || isFirst(person) || lookUp(state.people, person.id) === undefined) return person;
  return livingPerson(state, person.id) ?? fail('UNAUTHORIZED', 'You were revoked before this call was decided.');
}

/** The hint for a refused call that needs the owner key. No role of a person is enough for such a call. */
export const NEEDS_OWNER_KEY = 'Ask the holder of the owner key to make this call.';

/** Refuses the readmission of a person who was not revoked, or who never signed in with a company account. */
export function unknownCompanyAccount(id: string): never {
  return fail('UNKNOWN_RECORD', 'No revoked person with a company account has this id.', {
    record: { type: 'person', id: echoName(id) },
    hint: 'Run `parley people` for the ids of revoked people. To readmit a person who had a key, add the person again.',
  });
}

/** Refuses the id of the holder of the owner key, and an id that no person has whom the caller can see or change. */
export function unknownPerson(id: string): never {
  if (id === FIRST_PERSON.id)
    fail(
      'UNKNOWN_RECORD',
      'The holder of the owner key is always an approver. No call changes that role or revokes the owner key.',
      {
        record: { type: 'person', id },
        hint: 'Run `parley people` for the ids of the people whom you can change.',
      },
    );
  return fail('UNKNOWN_RECORD', 'No person who can sign in has this id.', {
    record: { type: 'person', id: echoName(id) },
    hint: 'Run `parley people` for the ids of people.',
  });
}

/** Refuses a call that only the holder of the owner key can make. */
export const forbidAccount = (message: string): never =>
  fail('ROLE_FORBIDDEN', message, { required_role: 'approver', hint: NEEDS_OWNER_KEY });

const PERSON_ID_CHARS = 10;
const MAX_LIVING = 500;
/**
 * Maximum number of changes to people that the approvers of an account can make as long as the account exists. The log
 * of people must stay short, because each request of a person reads it.
 */
const MAX_CHANGES = 5_000;
/**
 * How often the groups of a company account can admit a person or change the role until an approver readmits the account.
 * After that a role can only become lower.
 */
const MAX_GROUP_CHANGES = 200;
const MAX_SUBJECT_CHARS = 1_000;
/**
 * Maximum length of a name that a provider sent, in characters. The limit of a stored name is higher, so that a number
 * can be added.
 */
const MAX_GIVEN_NAME_CHARS = 190;

/** A person whom a provider, such as an OpenID provider, has identified. */
export interface PersonAdmission {
  /** An id that stays the same for a person and differs between people: for OpenID Connect, the issuer, a space and `sub`. */
  readonly subject: string;
  /**
   * The name of the person. Characters that a name cannot have are removed; a name that looks like another person's gets
   * a number. A name that looks like one that Parley itself uses is replaced by the person's id.
   */
  readonly name: string;
  /** The role that the person has from now on. */
  readonly role: PersonRole;
}

export const makePersonId = (random: RandomBytes): string => `p_${randomText(random, PERSON_ID_CHARS)}`;

/**
 * Returns the person with this subject. If there is none, adds the person. If the admission has another role, stores that role.
 *
 * @throws ParleyError UNAUTHORIZED if the person was revoked and not readmitted; LIMIT_EXCEEDED; INVALID_INPUT for a subject that
 * cannot be stored; CONFLICT if the person was revoked at the same moment
 */
export async function admit(log: PeopleLog, random: RandomBytes, admission: PersonAdmission): Promise<KnownPerson> {
  const subject = knownSubject(admission.subject);
  if (!SUBJECT.test(subject) || subject.length > MAX_SUBJECT_CHARS)
    refuseSubject(`it must be 1 to ${MAX_SUBJECT_CHARS} characters on one line.`);
  const id = makePersonId(random);
  const decide = (state: PeopleState): PeopleDraft[] => draftsFor(state, id, { ...admission, subject });
  const seen = await log.load();
  const state = decide(seen).length === 0 ? seen : await log.change(async () => undefined, decide);
  return personWith(state, subject) ?? fail('CONFLICT', 'The person was revoked during this sign-in.');
}

/**
 * Ends every sign-in of the person with this subject, because the provider no longer gives the person a role. Does
 * nothing if no person has the subject. The next sign-in admits a person with another id.
 */
export async function dismiss(log: PeopleLog, subject: string): Promise<void> {
  const decide = (state: PeopleState): PeopleDraft[] => {
    const { id, name } = personWith(state, subject) ?? {};
    if (id === undefined || name === undefined) return [];
    const data = { person_id: id, name };
    return [
      { kind: 'person.revoked', data },
      { kind: 'person.readmitted', data },
    ];
  };
  if (decide(await log.load()).length > 0) await log.change(async () => undefined, decide);
}

const refuseSubject = (rule: string): never =>
  fail('INVALID_INPUT', `The id of the company account cannot be stored: ${rule}`, {
    hint: 'Ask the operator of the service which id the provider of the company accounts sends.',
  });

const SUBJECT = /^[^\p{Cc}\p{Cs}\u2028\u2029]+$/u;

function draftsFor(state: PeopleState, id: string, { subject, name, role }: PersonAdmission): PeopleDraft[] {
  const knownId = lookUp(state.idBySubject, subject);
  if (knownId === undefined) {
    if (!isPlainSubject(subject)) refuseSubject('it must not contain invisible or special characters.');
    if (hasManyChanges(state, subject)) refuseChanges(lookUp(state.groupChanges, subject)?.personId ?? '');
    requireRoom(state, FIRST_ACCOUNT.id);
    return [
      { kind: 'person.admitted', data: { person_id: id, name: freeName(state, storable(name, id)), role, subject } },
    ];
  }
  const known = livingPerson(state, knownId) ?? refuseRevoked(knownId);
  const data = { person_id: knownId, name: known.name, role };
  const isRaised = !hasRightsOf(known.role, role);
  const isKept = known.role === role || (isRaised && hasManyChanges(state, subject));
  return isKept ? [] : [{ kind: 'person.role_changed', data }];
}

/** Whether the groups of a company account have changed its person as often as they can. */
export const hasManyChanges = ({ groupChanges }: PeopleState, subject: string): boolean =>
  (lookUp(groupChanges, subject)?.count ?? 0) >= MAX_GROUP_CHANGES;

const refuseChanges = (id: string): never =>
  fail(
    'LIMIT_EXCEEDED',
    `The groups of your company account have changed your rights ${plural(MAX_GROUP_CHANGES, 'time')}, which is the limit. An approver can readmit you: parley people readmit ${id}.`,
    { hint: 'Sign in again when an approver has readmitted you.' },
  );

function personWith(state: PeopleState, subject: string): KnownPerson | undefined {
  const id = lookUp(state.idBySubject, knownSubject(subject));
  return id === undefined ? undefined : livingPerson(state, id);
}

const refuseRevoked = (id: string): never =>
  fail(
    'UNAUTHORIZED',
    `You (${id}) were revoked, so your company account cannot sign in. An approver can readmit you: parley people readmit ${id}.`,
    { hint: 'Sign in again when an approver has readmitted you.' },
  );

/**
 * Converts a name that a provider sent to a form that the log accepts. If that is not possible, returns a name made of the person's
 * id.
 */
function storable(given: string, id: string): string {
  const name = visibleName(visibleName(given).slice(0, MAX_GIVEN_NAME_CHARS));
  return Name.safeParse(name).success && nameFault(name) === undefined ? knownName(name, id) : nameOfId(id);
}

function freeName(state: PeopleState, name: string): string {
  const holderOf = createNameSearch(peopleOf(state, FIRST_ACCOUNT.id));
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name} (${count})`;
    if (!holderOf(tried)) return tried;
  }
}

/** Returns the unrevoked person of an account, or the holder of the owner key, whose name readers could take for `name`. */
export const holderOfName = (state: PeopleState, account: string, name: string): Person | undefined =>
  createNameSearch(peopleOf(state, account))(name);

/** The holder of the owner key, and the people of an account who are not revoked. */
const peopleOf = (state: PeopleState, account: string): readonly Person[] => [
  FIRST_PERSON,
  ...unrevoked(state).filter(({ accountId }) => accountId === account),
];

/** Refuses to add a person if the account has too many people. @throws ParleyError LIMIT_EXCEEDED */
export function requireRoom(state: PeopleState, account: string): void {
  if (peopleOf(state, account).length > MAX_LIVING)
    fail(
      'LIMIT_EXCEEDED',
      `At most ${counted(MAX_LIVING, 'person', 'people')} of an account can sign in. Revoke a person first.`,
      { hint: 'When an approver has revoked a person of the account, try again.' },
    );
}

/**
 * Refuses a change to a person of this account if approvers have already made `MAX_CHANGES` changes to people of the
 * account. Calls with the owner key are not limited.
 *
 * @throws ParleyError LIMIT_EXCEEDED
 */
export function requireFewChanges({ accounts }: PeopleState, person: Person | undefined, account: string): void {
  if (isFirst(person) || (lookUp(accounts, account)?.changes ?? 0) < MAX_CHANGES) return;
  fail(
    'LIMIT_EXCEEDED',
    `The approvers of this account have changed people ${plural(MAX_CHANGES, 'time')}, which is the limit. They can still revoke people; the holder of the owner key can change people.`,
    { hint: NEEDS_OWNER_KEY },
  );
}
