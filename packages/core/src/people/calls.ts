import { isoTime } from '../kernel/clock.ts';
import { fail } from '../kernel/errors.ts';
import { TOKEN_PREFIX_CHARS } from '../kernel/limits.ts';
import { lookUp, valuesOf } from '../kernel/log/persistent-collections.ts';
import { refuseInput } from '../kernel/operation/input.ts';
import { FIRST_PERSON, type Person, type PersonRef, requireRole } from '../kernel/person.ts';
import { echoName } from '../kernel/text/safe-echo.ts';
import { sha256Hex } from '../kernel/text/sha256.ts';
import type { RandomBytes } from '../kernel/token/token.ts';
import { readInput } from '../owner-methods.ts';
import { holderOfName, makePersonId, requireRoom } from './admission.ts';
import { PEOPLE_METHODS, type PeopleMethod, type PeopleOutput } from './methods.ts';
import type { PeopleLog } from './people-log.ts';
import { type Change, type KnownPerson, livingPeople, livingPerson, type PeopleState } from './state.ts';

/** The calls about people that one person makes. Each rejects with ParleyError: ROLE_FORBIDDEN if the role is not enough. */
export interface PeopleCalls {
  listPeople(): Promise<PeopleOutput<'listPeople'>>;
  /**
   * Only the holder of the first key can add an approver.
   *
   * @throws ParleyError INVALID_INPUT, also for a name that a person with a valid key has; LIMIT_EXCEEDED
   */
  addPerson(input: unknown): Promise<PeopleOutput<'addPerson'>>;
  /**
   * Only the holder of the first key can make a person an approver.
   *
   * @throws ParleyError INVALID_INPUT, also for a person who signs in with a company account; UNKNOWN_RECORD
   */
  setPersonRole(personId: string, input: unknown): Promise<PeopleOutput<'setPersonRole'>>;
  /** Revokes the person. Changes nothing if that was done already. @throws ParleyError UNKNOWN_RECORD */
  revokePerson(personId: string): Promise<PeopleOutput<'revokePerson'>>;
  /**
   * Lets the company account of a revoked person sign in again. Changes nothing if it may already.
   *
   * @throws ParleyError UNKNOWN_RECORD, also for a person who is not revoked or who had a key
   */
  readmitPerson(personId: string): Promise<PeopleOutput<'readmitPerson'>>;
}

/** What the calls work on. */
export interface PeopleParts {
  readonly log: PeopleLog;
  readonly makeKey: () => string;
  readonly random: RandomBytes;
  /** By person, when the key was last used in this process, in milliseconds since the epoch. */
  readonly lastUses: ReadonlyMap<string, number>;
}

const MAX_REVOKED_SHOWN = 100;

/** The calls of one person. Without a person, the application itself calls, and every call is allowed. */
export function peopleCalls({ log, makeKey, random, lastUses }: PeopleParts, person: Person | undefined): PeopleCalls {
  const allow = (name: PeopleMethod): void => requireRole(person, PEOPLE_METHODS[name].role, name);
  const view = (known: KnownPerson) => ({ ...viewPerson(known), last_used_at: timeOf(lastUses.get(known.id)) });
  return {
    async listPeople() {
      allow('listPeople');
      const state = await log.load();
      return { people: livingPeople(state).map(view), revoked: viewRevoked(state) };
    },

    async addPerson(raw) {
      allow('addPerson');
      const { name: given, role } = readInput(PEOPLE_METHODS.addPerson.input, raw);
      requireMaker(person, role);
      const name = given.trim().normalize('NFC');
      const [id, key] = [makePersonId(random), makeKey()];
      const data = {
        person_id: id,
        name,
        role,
        key_hash: sha256Hex(key),
        key_prefix: key.slice(0, TOKEN_PREFIX_CHARS),
      };
      const state = await log.change(person, (before) => {
        requireFree(before, name);
        return [{ kind: 'person.added', data }];
      });
      return { person: view(knownPerson(state, id)), key };
    },

    async setPersonRole(id, raw) {
      allow('setPersonRole');
      const { role } = readInput(PEOPLE_METHODS.setPersonRole.input, raw);
      requireMaker(person, role);
      const state = await log.change(person, (before) => {
        const known = livingPerson(before, id) ?? unknownPerson(id);
        if (known.subject !== undefined) refuseInput([{ path: 'role', message: ROLE_OF_GROUPS }]);
        return known.role === role ? [] : [{ kind: 'person.role_changed', data: { person_id: id, role } }];
      });
      return { person: view(knownPerson(state, id)) };
    },

    async revokePerson(id) {
      allow('revokePerson');
      const state = await log.change(person, (before) =>
        knownPerson(before, id).revoked ? [] : [{ kind: 'person.revoked', data: { person_id: id } }],
      );
      return viewOneRevoked(state, id);
    },

    async readmitPerson(id) {
      allow('readmitPerson');
      const state = await log.change(person, (before) => {
        const { subject, revoked, readmitted } = knownPerson(before, id);
        if (subject === undefined || !revoked) return unknownAccount(id);
        return readmitted ? [] : [{ kind: 'person.readmitted', data: { person_id: id } }];
      });
      return viewOneRevoked(state, id);
    },
  };
}

/**
 * Only the holder of the first key, or the application itself, makes a person an approver. Otherwise one approver could add another
 * and give both approvals of a step that needs two.
 *
 * @throws ParleyError ROLE_FORBIDDEN
 */
function requireMaker(person: Person | undefined, role: Person['role']): void {
  if (role !== 'approver' || !person || person.id === FIRST_PERSON.id) return;
  fail('ROLE_FORBIDDEN', 'Only the holder of the first key can make a person an approver.', {
    required_role: 'approver',
  });
}

const ROLE_OF_GROUPS =
  'The groups of the company account decide the role of this person, at each sign-in. Change the groups, or revoke the person.';

function unknownAccount(id: string): never {
  return fail(
    'UNKNOWN_RECORD',
    'No company account of a revoked person has this id. A person with a key is added anew.',
    {
      record: { type: 'person', id: echoName(id) },
    },
  );
}

const knownPerson = ({ people }: PeopleState, id: string): KnownPerson => lookUp(people, id) ?? unknownPerson(id);

function unknownPerson(id: string): never {
  if (id === FIRST_PERSON.id)
    fail('UNKNOWN_RECORD', 'The first key always is an approver: it can be neither changed nor revoked here.', {
      record: { type: 'person', id },
    });
  return fail('UNKNOWN_RECORD', 'No person who can sign in has this id.', {
    record: { type: 'person', id: echoName(id) },
  });
}

/** Refuses a name that a person with a valid key has, and one person too many. */
function requireFree(state: PeopleState, name: string): void {
  const taken = holderOfName(state, name);
  if (taken)
    refuseInput([
      { path: 'name', message: `A person who can sign in has this name already (${taken.id}). Choose another name.` },
    ]);
  requireRoom(state);
}

const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : isoTime(ms));

const viewPerson = ({ id, name, role, key, subject, added }: KnownPerson) => ({
  person_id: id,
  name,
  role,
  key_prefix: key?.prefix ?? null,
  subject: subject ?? null,
  added_at: added.at,
  added_by: byOf(added),
});

const byOf = ({ by }: Change): PersonRef | null => by && { ...by };

function viewRevokedPerson(known: KnownPerson) {
  const { revoked, readmitted } = known;
  if (!revoked) return undefined;
  const view = { ...viewPerson(known), revoked_at: revoked.at, revoked_by: byOf(revoked) };
  return { ...view, readmitted: readmitted !== undefined };
}

const viewOneRevoked = (state: PeopleState, id: string) => ({
  revoked: viewRevokedPerson(knownPerson(state, id)) ?? unknownPerson(id),
});

const viewRevoked = ({ people }: PeopleState) =>
  valuesOf(people)
    .flatMap((known) => viewRevokedPerson(known) ?? [])
    .toSorted((a, b) => (a.revoked_at < b.revoked_at ? 1 : -1))
    .slice(0, MAX_REVOKED_SHOWN);
