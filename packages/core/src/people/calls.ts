import { isoTime } from '../kernel/clock.ts';
import { fail } from '../kernel/errors.ts';
import { TOKEN_PREFIX_CHARS } from '../kernel/limits.ts';
import { lookUp, valuesOf } from '../kernel/log/persistent-collections.ts';
import { readInput, refuseInput } from '../kernel/operation/input.ts';
import { type Acting, FIRST_ACCOUNT, FIRST_PERSON, isFirst, type Person, requireRole } from '../kernel/person.ts';
import type { OwnerUse } from '../kernel/storage/storage.ts';
import { sha256Hex } from '../kernel/text/hash.ts';
import type { RandomBytes } from '../kernel/token/token.ts';
import { accountCalls, accountOf, openAccount } from './accounts.ts';
import { createLeaving, type FindLeft, type Leaving } from './leaving.ts';
import { PEOPLE_METHODS, type PeopleCalls, type PeopleMethod } from './methods.ts';
import {
  type ChangePeople,
  changesBy,
  forbidAccount,
  hasManyChanges,
  holderOfName,
  makePersonId,
  NEEDS_OWNER_KEY,
  type PeopleLog,
  requireFewChanges,
  requireRoom,
  unknownCompanyAccount,
  unknownPerson,
} from './rules.ts';
import {
  byOf,
  givenName,
  type KnownPerson,
  type PeopleDraft,
  type PeopleState,
  refuseName,
  unrevoked,
} from './state.ts';

type LogCalls = Pick<PeopleCalls, 'verifyPeopleLog' | 'exportPeopleLog'>;

/**
 * The calls that read the whole log of people, which contains the people of all accounts. So only the holder of the
 * owner key, or the application without a person, can make them.
 */
function logCalls(log: PeopleLog, person: Person | undefined): LogCalls {
  const allow = (name: keyof LogCalls): void => {
    requireRole(person, PEOPLE_METHODS[name].role, name);
    if (!isFirst(person))
      forbidAccount('Only the holder of the owner key can read the log of people, which covers all accounts.');
  };
  return {
    async verifyPeopleLog() {
      allow('verifyPeopleLog');
      return await log.verify();
    },

    async *exportPeopleLog() {
      allow('exportPeopleLog');
      yield* log.lines();
    },
  };
}

export interface PeopleParts {
  readonly log: PeopleLog;
  readonly makeKey: () => string;
  readonly random: RandomBytes;
  /** When each person's key was last used in this process, by the person's id, in milliseconds since the epoch. */
  readonly lastUses: ReadonlyMap<string, number>;
  /** Counts the sessions, events and bytes of an account. */
  readonly usageOf: (accountId: string) => Promise<OwnerUse>;
  readonly leftBehind?: FindLeft | undefined;
}

const MAX_REVOKED_SHOWN = 100;

/** Creates the calls of one person. Without a person, the application itself calls, and every call is allowed. */
export function peopleCalls(parts: PeopleParts, acting: Acting): PeopleCalls {
  const { log, makeKey, random, lastUses, usageOf, leftBehind } = parts;
  const { person } = acting;
  const change = changesBy(log, acting);
  const leaving = createLeaving(leftBehind, acting);
  const allow = (name: PeopleMethod): void => requireRole(person, PEOPLE_METHODS[name].role, name);
  const view = (known: KnownPerson) => ({ ...viewPerson(known), last_used_at: timeOf(lastUses.get(known.id)) });
  return {
    ...accountCalls({ log, random, usageOf, leaving }, acting),
    ...logCalls(log, person),

    async listPeople() {
      allow('listPeople');
      const state = await log.load();
      const own = accountOf(state, person);
      const people = unrevoked(state).filter((known) => isIn(own, known));
      return {
        people: people.map(view),
        revoked: viewRevoked(valuesOf(state.people).filter((known) => isIn(own, known))),
      };
    },

    async addPerson(raw) {
      allow('addPerson');
      const {
        name: given,
        role,
        account_id: wanted,
        same_person_as: sameAs,
      } = readInput(PEOPLE_METHODS.addPerson.input, raw);
      const name = givenName(given);
      const [id, key] = [makePersonId(random), makeKey()];
      const data = {
        person_id: id,
        name,
        role,
        key_hash: sha256Hex(key),
        key_prefix: key.slice(0, TOKEN_PREFIX_CHARS),
        ...(sameAs === undefined ? {} : { same_person_as: sameAs }),
      };
      const state = await change('addPerson', (before, caller) => {
        requireMaker(caller, role);
        const { id: account } = openAccount(before, caller, wanted);
        requireFree(before, account, name);
        if (sameAs !== undefined) requireSame(before, account, sameAs);
        const inAccount = account === FIRST_ACCOUNT.id ? data : { ...data, account_id: account };
        return counted(before, caller, { accountId: account }, { kind: 'person.added', data: inAccount });
      });
      return { person: view(knownPerson(state, id)), key };
    },

    async setPersonRole(id, raw) {
      allow('setPersonRole');
      const { role, end_access: ends } = readInput(PEOPLE_METHODS.setPersonRole.input, raw);
      leaving.check(ends, id, role);
      const state = await change('setPersonRole', (before, caller) => {
        requireMaker(caller, role);
        const known = knownPerson(before, id, accountOf(before, caller));
        if (known.revoked) return unknownPerson(id);
        if (known.role === role) return [];
        if (known.subject !== undefined) refuseInput([{ path: 'role', message: ROLE_OF_GROUPS }]);
        const draft = { kind: 'person.role_changed', data: { person_id: id, name: known.name, role } } as const;
        return counted(before, caller, known, draft);
      });
      const known = knownPerson(state, id);
      return { person: view(known), ...(await leaving.ofPerson(state, known, ends)) };
    },

    ...leavingCalls(allow, change, leaving),
  };
}

/** The calls that revoke a person, and that allow a revoked person's company account to sign in again. */
const leavingCalls = (
  allow: (name: PeopleMethod) => void,
  change: ChangePeople,
  leaving: Leaving,
): Pick<PeopleCalls, 'revokePerson' | 'readmitPerson'> => ({
  /** Changes nothing if the person is revoked already, but still ends the access if the input asks for it. */
  async revokePerson(id, raw = {}) {
    allow('revokePerson');
    const { end_access: ends } = readInput(PEOPLE_METHODS.revokePerson.input, raw);
    leaving.check(ends, id);
    const state = await change('revokePerson', (before, caller) => {
      const { revoked, name } = knownPerson(before, id, accountOf(before, caller));
      return revoked ? [] : [{ kind: 'person.revoked', data: { person_id: id, name } }];
    });
    return { ...viewOneRevoked(state, id), ...(await leaving.ofPerson(state, knownPerson(state, id), ends)) };
  },

  async readmitPerson(id) {
    allow('readmitPerson');
    const state = await change('readmitPerson', (before, caller) => {
      const known = knownPerson(before, id, accountOf(before, caller));
      if (known.subject === undefined || !known.revoked) return unknownCompanyAccount(id);
      const draft = { kind: 'person.readmitted', data: { person_id: id, name: known.name } } as const;
      const isOpen = known.readmitted !== undefined && !hasManyChanges(before, known.subject);
      return isOpen ? [] : counted(before, caller, known, draft);
    });
    return viewOneRevoked(state, id);
  },
});

/**
 * Returns the event of a change to a person of the account. Refuses the change if approvers have already made as many
 * changes to people of the account as are allowed.
 *
 * @throws ParleyError LIMIT_EXCEEDED
 */
function counted(
  state: PeopleState,
  person: Person | undefined,
  { accountId }: Pick<KnownPerson, 'accountId'>,
  draft: PeopleDraft,
): readonly PeopleDraft[] {
  requireFewChanges(state, person, accountId);
  return [draft];
}

/**
 * Refuses to make a person an approver, unless the holder of the owner key or the application calls. Otherwise one approver could
 * add another and give both approvals of a step that needs two.
 *
 * @throws ParleyError ROLE_FORBIDDEN
 */
function requireMaker(person: Person | undefined, role: Person['role']): void {
  if (role !== 'approver' || isFirst(person)) return;
  fail('ROLE_FORBIDDEN', 'Only the holder of the owner key can make a person an approver.', {
    required_role: 'approver',
    hint: NEEDS_OWNER_KEY,
  });
}

/** Refuses to link a new person with somebody who may not sign in for the account. @throws ParleyError UNKNOWN_RECORD */
function requireSame(state: PeopleState, account: string, id: string): void {
  if (id !== FIRST_PERSON.id && knownPerson(state, id, account).revoked) unknownPerson(id);
}

const ROLE_OF_GROUPS =
  'The groups of the company account set the role of this person at each sign-in. Change the groups, or revoke the person.';

/** Returns the person with this id in this account. If `account` is undefined, searches all accounts. */
function knownPerson({ people }: PeopleState, id: string, account?: string): KnownPerson {
  const known = lookUp(people, id);
  return known && isIn(account, known) ? known : unknownPerson(id);
}

/** Whether a person belongs to this account. If `account` is undefined, every person does. */
const isIn = (account: string | undefined, { accountId }: KnownPerson): boolean =>
  account === undefined || accountId === account;

/** Refuses a name that looks like that of a person of the account. Refuses a person if the account has too many people. */
function requireFree(state: PeopleState, account: string, name: string): void {
  const taken = holderOfName(state, account, name);
  if (taken) refuseName(`A person who can sign in has this name already (${taken.id}), or one that looks the same.`);
  requireRoom(state, account);
}

const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : isoTime(ms));

const viewPerson = ({ id, name, role, accountId, key, subject, sameAs, added }: KnownPerson) => ({
  person_id: id,
  name,
  role,
  account_id: accountId,
  key_prefix: key?.prefix ?? null,
  subject: subject ?? null,
  ...(sameAs === undefined ? {} : { same_person_as: sameAs }),
  added_at: added.at,
  added_by: byOf(added),
});

function viewRevokedPerson(known: KnownPerson) {
  const { revoked, readmitted } = known;
  if (!revoked) return undefined;
  const view = { ...viewPerson(known), revoked_at: revoked.at, revoked_by: byOf(revoked) };
  return { ...view, readmitted: readmitted !== undefined };
}

const viewOneRevoked = (state: PeopleState, id: string) => ({
  revoked: viewRevokedPerson(knownPerson(state, id)) ?? unknownPerson(id),
});

const viewRevoked = (people: readonly KnownPerson[]) =>
  people
    .flatMap((known) => viewRevokedPerson(known) ?? [])
    .toSorted((a, b) => (a.revoked_at < b.revoked_at ? 1 : -1))
    .slice(0, MAX_REVOKED_SHOWN);
