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
  /** SHA-256 of the key, hex. */
  readonly keyHash: string;
  readonly keyPrefix: string;
  readonly added: Change;
  /** Absent while the person's key is valid. */
  readonly revoked?: Change;
}

/** The fold of the log of people. */
export interface PeopleState extends SessionRoot {
  /** Every person who was ever added, by id. */
  readonly people: PersistentMap<KnownPerson>;
  /** The ids of the people whose keys are valid, by the SHA-256 of the key. */
  readonly idByKeyHash: PersistentMap<string>;
}

type Folded = Pick<PeopleState, 'people' | 'idByKeyHash'>;

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
  }),
  evolve(state, event) {
    const { seq, hash, at } = event;
    return { ...state, head: { seq, hash }, at, ...evolvePeople(state, event) };
  },
  settleObligations: () => [],
  listing: ({ at }) => ({ title: 'People', status: 'ACTIVE', phase: 'PEOPLE', createdAt: at }),
};

function evolvePeople({ people, idByKeyHash }: PeopleState, logged: LoggedEvent): Folded {
  const event = logged as PeopleEvent;
  const change: Change = { at: event.at, by: event.person ?? null };
  const { person_id: id } = event.data;
  switch (event.kind) {
    case 'person.added': {
      const { name, role, key_hash: keyHash, key_prefix: keyPrefix } = event.data;
      const added = { id, name, role, keyHash, keyPrefix, added: change };
      return { people: withEntry(people, id, added), idByKeyHash: withEntry(idByKeyHash, keyHash, id) };
    }
    case 'person.role_changed':
      return { people: withEntry(people, id, { ...knownIn(people, id), role: event.data.role }), idByKeyHash };
    case 'person.revoked': {
      const known = knownIn(people, id);
      return {
        people: withEntry(people, id, { ...known, revoked: change }),
        idByKeyHash: withoutEntry(idByKeyHash, known.keyHash),
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

/** The person with this id, if the person's key is valid. */
export function livingPerson({ people }: PeopleState, id: string): KnownPerson | undefined {
  const known = lookUp(people, id);
  return known?.revoked ? undefined : known;
}

/** The people whose keys are valid, oldest first. */
export const livingPeople = ({ people }: PeopleState): readonly KnownPerson[] =>
  valuesOf(people).filter(({ revoked }) => !revoked);
