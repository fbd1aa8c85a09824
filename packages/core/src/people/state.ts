import { isoTime } from '../kernel/clock.ts';
import { GENESIS, type LoggedEvent } from '../kernel/log/event.ts';
import type { DraftsOf, EventsOf } from '../kernel/log/event-catalog.ts';
import {
  emptyMap,
  lookUp,
  type PersistentMap,
  valuesOf,
  withEntry,
  withoutEntry,
} from '../kernel/log/persistent-collections.ts';
import type { LogDomain, SessionRoot } from '../kernel/operation/domain.ts';
import { PEOPLE_LOG, type Person, type PersonRef } from '../kernel/person.ts';
import { peopleEvents } from './events.ts';

export type PeopleDraft = DraftsOf<typeof peopleEvents>;
type PeopleEvent = EventsOf<typeof peopleEvents>;

/** When a person was added or revoked, and by whom. `by` is null if the application named nobody. */
export interface Change {
  readonly at: string;
  readonly by: PersonRef | null;
}

/** A person as the log describes the person. */
export interface KnownPerson extends Person {
  /** SHA-256 of the key, hex, and its first characters. Absent for a person without a key. */
  readonly key?: { readonly hash: string; readonly prefix: string };
  /** Who the person is for the one that identifies the person. Absent for a person with a key. */
  readonly subject?: string;
  readonly added: Change;
  /** Absent while the person may sign in. */
  readonly revoked?: Change;
  /** When the subject of a revoked person was allowed to sign in again. */
  readonly readmitted?: Change;
}

/** The fold of the log of people. */
export interface PeopleState extends SessionRoot {
  /** Every person who was ever added, by id. */
  readonly people: PersistentMap<KnownPerson>;
  /** The ids of the people whose keys are valid, by the SHA-256 of the key. */
  readonly idByKeyHash: PersistentMap<string>;
  /** By subject, the latest person with this subject. A subject that was readmitted is absent until its next sign-in. */
  readonly idBySubject: PersistentMap<string>;
}

type Folded = Partial<Pick<PeopleState, 'people' | 'idByKeyHash' | 'idBySubject'>>;

/** The fold of the log of people, and the facts that a storage keeps beside the log. */
export const peopleDomain: LogDomain<PeopleState> = {
  catalog: peopleEvents,
  empty: (sessionId) => ({
    sessionId,
    ownerId: PEOPLE_LOG.ownerId,
    head: GENESIS,
    at: isoTime(0),
    people: emptyMap(),
    idByKeyHash: emptyMap(),
    idBySubject: emptyMap(),
  }),
  evolve(state, event) {
    const { seq, hash, at } = event;
    return { ...state, head: { seq, hash }, at, ...evolvePeople(state, event) };
  },
  settleObligations: () => [],
  listing: ({ at }) => ({ title: 'People', status: 'ACTIVE', phase: 'PEOPLE', createdAt: at }),
};

function evolvePeople({ people, idByKeyHash, idBySubject }: PeopleState, logged: LoggedEvent): Folded {
  const event = logged as PeopleEvent;
  const change: Change = { at: event.at, by: event.person ?? null };
  const { person_id: id } = event.data;
  switch (event.kind) {
    case 'person.added': {
      const { name, role, key_hash: hash, key_prefix: prefix } = event.data;
      const added = { id, name, role, key: { hash, prefix }, added: change };
      return { people: withEntry(people, id, added), idByKeyHash: withEntry(idByKeyHash, hash, id) };
    }
    case 'person.admitted': {
      const { name, role, subject } = event.data;
      const admitted = { id, name, role, subject, added: change };
      return { people: withEntry(people, id, admitted), idBySubject: withEntry(idBySubject, subject, id) };
    }
    case 'person.role_changed':
      return { people: withEntry(people, id, { ...knownIn(people, id), role: event.data.role }) };
    case 'person.revoked': {
      const known = knownIn(people, id);
      return {
        people: withEntry(people, id, { ...known, revoked: change }),
        ...(known.key ? { idByKeyHash: withoutEntry(idByKeyHash, known.key.hash) } : {}),
      };
    }
    case 'person.readmitted': {
      const known = knownIn(people, id);
      return {
        people: withEntry(people, id, { ...known, readmitted: change }),
        ...(known.subject === undefined ? {} : { idBySubject: withoutEntry(idBySubject, known.subject) }),
      };
    }
  }
}

/** The person with this id. Throws if there is none: the log is then corrupt. */
function knownIn(people: PeopleState['people'], id: string): KnownPerson {
  const known = lookUp(people, id);
  if (!known) throw new Error('The log of people changes a person who was never added.');
  return known;
}

/** The person with this id, if the person may sign in. */
export function livingPerson({ people }: PeopleState, id: string): KnownPerson | undefined {
  const known = lookUp(people, id);
  return known?.revoked ? undefined : known;
}

/** The people who may sign in, oldest first. */
export const livingPeople = ({ people }: PeopleState): readonly KnownPerson[] =>
  valuesOf(people).filter(({ revoked }) => !revoked);
