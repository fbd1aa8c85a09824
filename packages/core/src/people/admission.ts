import { counted } from '../kernel/counted.ts';
import { fail } from '../kernel/errors.ts';
import { lookUp } from '../kernel/log/persistent-collections.ts';
import { FIRST_PERSON, type Person, type PersonRole } from '../kernel/person.ts';
import { type RandomBytes, randomText } from '../kernel/token/token.ts';
import { PersonName } from './methods.ts';
import type { PeopleLog } from './people-log.ts';
import { type KnownPerson, livingPeople, livingPerson, type PeopleDraft, type PeopleState } from './state.ts';

const PERSON_ID_CHARS = 10;
const MAX_LIVING = 500;
const MAX_SUBJECT_CHARS = 1_000;
/** Maximum length of a name from outside, in characters. It leaves room for a number behind the name. */
const MAX_GIVEN_NAME_CHARS = 190;

/** A person whom somebody else has identified, such as an OpenID provider. */
export interface PersonAdmission {
  /** Always the same for one person, and different for two: for OpenID Connect, the issuer, a space and `sub`. */
  readonly subject: string;
  /** What the person is called. Characters that a name cannot have are removed; a name that is taken gets a number. */
  readonly name: string;
  /** The role that the person has from now on. */
  readonly role: PersonRole;
}

export const makePersonId = (random: RandomBytes): string => `p_${randomText(random, PERSON_ID_CHARS)}`;

/**
 * Finds the person with a subject, and stores the person if there is none, or the role if it is another one. If nothing has
 * changed, this only reads.
 *
 * @throws ParleyError UNAUTHORIZED if the person was revoked and not readmitted; LIMIT_EXCEEDED; INVALID_INPUT for a subject
 *   that cannot be stored; CONFLICT
 */
export async function admit(log: PeopleLog, random: RandomBytes, admission: PersonAdmission): Promise<KnownPerson> {
  const { subject } = admission;
  if (!SUBJECT.test(subject) || subject.length > MAX_SUBJECT_CHARS)
    fail(
      'INVALID_INPUT',
      `The account has an id that cannot be stored: it must be 1 to ${MAX_SUBJECT_CHARS} characters on one line.`,
    );
  const id = makePersonId(random);
  const decide = (state: PeopleState): PeopleDraft[] => draftsFor(state, id, admission);
  const seen = await log.load();
  const state = decide(seen).length === 0 ? seen : await log.change(undefined, decide);
  return personWith(state, subject) ?? fail('CONFLICT', 'The person was revoked at the same moment.');
}

const SUBJECT = /^[^\p{Cc}\p{Cs}\u2028\u2029]+$/u;

function draftsFor(state: PeopleState, id: string, { subject, name, role }: PersonAdmission): PeopleDraft[] {
  const knownId = lookUp(state.idBySubject, subject);
  if (knownId === undefined) {
    requireRoom(state);
    return [
      { kind: 'person.admitted', data: { person_id: id, name: freeName(state, storable(name, id)), role, subject } },
    ];
  }
  const known = livingPerson(state, knownId) ?? refuseRevoked(knownId);
  return known.role === role ? [] : [{ kind: 'person.role_changed', data: { person_id: knownId, role } }];
}

function personWith(state: PeopleState, subject: string): KnownPerson | undefined {
  const id = lookUp(state.idBySubject, subject);
  return id === undefined ? undefined : livingPerson(state, id);
}

const refuseRevoked = (id: string): never =>
  fail(
    'UNAUTHORIZED',
    `You (${id}) were revoked, so your company account does not sign in. An approver can readmit you: parley people readmit ${id}.`,
  );

/** A name from outside in the form that the log accepts. If nothing of it can be used, the id of the person. */
function storable(given: string, id: string): string {
  const line = given.normalize('NFC').replace(/[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, ' ');
  const name = line
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, MAX_GIVEN_NAME_CHARS)
    .replace(/\p{Cs}/gu, '')
    .trim();
  return PersonName.safeParse(name).success ? name : `Person ${id}`;
}

function freeName(state: PeopleState, name: string): string {
  const taken = new Set([FIRST_PERSON, ...livingPeople(state)].map((one) => nameKey(one.name)));
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name} (${count})`;
    if (!taken.has(nameKey(tried))) return tried;
  }
}

/** The person who may sign in and whose name looks like this one. */
export const holderOfName = (state: PeopleState, name: string): Person | undefined =>
  [FIRST_PERSON, ...livingPeople(state)].find((one) => nameKey(one.name) === nameKey(name));

/** Two names with the same key look the same to a reader: case, width, white space and invisible characters do not count. */
const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();

/** Refuses one person too many. @throws ParleyError LIMIT_EXCEEDED */
export function requireRoom(state: PeopleState): void {
  if (livingPeople(state).length >= MAX_LIVING)
    fail('LIMIT_EXCEEDED', `At most ${counted(MAX_LIVING, 'person', 'people')} can sign in. Revoke one first.`);
}
