import { type Clock, systemClock } from '../kernel/clock.ts';
import { type OwnerLimits, ownerUsage } from '../kernel/engine/owner-allowances.ts';
import type { LogReport } from '../kernel/log/event.ts';
import { lookUp } from '../kernel/log/persistent-collections.ts';
import { type Acting, PEOPLE_LOG, type Person } from '../kernel/person.ts';
import type { OwnerUse, Storage } from '../kernel/storage/storage.ts';
import { sha256Hex } from '../kernel/text/hash.ts';
import type { RandomBytes } from '../kernel/token/token.ts';
import { peopleCalls } from './calls.ts';
import type { FindLeft } from './leaving.ts';
import type { PeopleCalls } from './methods.ts';
import { admit, dismiss, openPeopleLog, type PersonAdmission } from './rules.ts';
import { humanOf, livingPerson, type PeopleState, standsAs } from './state.ts';

/**
 * The people who may sign in besides the holder of the owner key. Their log is hash-chained like the log of a session,
 * and in the same storage. A person is in one of two states:
 *
 * - LIVING: after `person.added`, with a key; or after `person.admitted`, with a company account. The person has the
 *   role of the last `person.role_changed`.
 * - REVOKED: after `person.revoked`. The key or the company account is refused from the next request on, and open
 *   streams end. After `person.readmitted`, the next sign-in of the company account admits a new person with another
 *   id.
 *
 * A person belongs to one account. While the account is closed, its people are refused like revoked people; after it is
 * reopened, they are accepted again.
 *
 * Cannot happen: a revoked person becomes LIVING again, so a sign-in from before the revocation is never valid again;
 * two living people of an account have the same name; two living people have the same company account; a request is
 * authenticated by a state that is older than the request, because each request fetches the head of the log; a change is
 * stored after a state in which its caller is revoked or lacks the role, because each decision judges the caller. So a
 * revoked person readmits nobody, and a living person never has an own company account to readmit.
 */

/** Milliseconds for which the counts of an account are kept. Counting its bytes reads the length of each event. */
const KEPT_MS = 5_000;

/** Returns a function that counts the sessions, events and bytes of an account, at most every 5 s for each account. */
function createUsageCache(storage: Pick<Storage, 'usage'>, clock: Clock): (accountId: string) => Promise<OwnerUse> {
  const counts = new Map<string, { readonly at: number; readonly use: Promise<OwnerUse> }>();
  return (accountId) => {
    const known = counts.get(accountId);
    if (known && clock.now() - known.at < KEPT_MS) return known.use;
    const use = ownerUsage(storage, accountId);
    counts.set(accountId, { at: clock.now(), use });
    use.catch(() => counts.delete(accountId));
    return use;
  };
}

/**
 * Milliseconds between two reads of the log of people while a person is watched. A revocation by another process takes
 * effect within this time.
 */
const LOOK_MS = 3_000;

/** A long answer to a person, such as a stream of events. */
export interface Watched {
  /** Aborts when the person is revoked or the person's account is closed. */
  readonly ended: AbortSignal;
  /** Ends the watch. Called when the answer is complete. */
  release(): void;
}

/**
 * Keeps an abort signal for each long answer to a person.
 *
 * @param look called every 3 s while a person is watched
 */
function createWatchedPeople(clock: Clock, look: () => void) {
  const watches = new Map<AbortController, string>();
  let stopTimer: (() => void) | undefined;
  const schedule = (): void => {
    stopTimer ??= clock.after(LOOK_MS, () => {
      stopTimer = undefined;
      if (watches.size === 0) return;
      look();
      schedule();
    });
  };
  return {
    watch(id: string): Watched {
      const controller = new AbortController();
      watches.set(controller, id);
      schedule();
      return { ended: controller.signal, release: () => void watches.delete(controller) };
    },
    isAny: () => watches.size > 0,
    /** Aborts the signals of the people for whom `isLiving` is false. */
    endUnless(isLiving: (id: string) => boolean): void {
      for (const [controller, id] of watches) {
        if (isLiving(id)) continue;
        watches.delete(controller);
        controller.abort();
      }
    },
    /** Ends the regular reads of the log of people. */
    close: () => stopTimer?.(),
  };
}

/** Options of `openPeople`: the storage, the functions that make keys and ids, and the clock. */
export interface PeopleOptions {
  readonly storage: Storage;
  /** Makes a key with 256 random bits. Its SHA-256 and its first 10 characters are stored. */
  readonly makeKey: () => string;
  readonly random: RandomBytes;
  readonly clock?: Clock;
  /** Called if reading the log fails while a stream is open. The log is read again 3 s later. */
  readonly onFailure?: (error: unknown) => void;
}

/** A person whom a key or a sign-in has identified, and the account for which the person acts. */
export interface SignedInPerson extends Person {
  /** The account for which the person acts. */
  readonly accountId: string;
  /** Id of the person at the provider or proxy that identified the person. Absent for a person with a key. */
  readonly subject?: string;
}

/** The people of a service. Methods reject with ParleyError, or with StorageUnavailable if the storage does not answer. */
export interface People {
  /**
   * The person who has this key, with the present role. Undefined if no person has the key, if the person was revoked,
   * or if the person's account is closed. Calls that arrive during a read of the log share the next one, so that a flood
   * of wrong keys reads the log once at a time.
   */
  withKey(key: string): Promise<SignedInPerson | undefined>;
  /**
   * The person with this id, with the present role. Undefined if there is none, if the person was revoked, or if the
   * person's account is closed.
   */
  withId(id: string): Promise<SignedInPerson | undefined>;
  /**
   * Returns the person with this subject. If there is none, adds the person. If the admission has another role, stores that role.
   *
   * @throws ParleyError UNAUTHORIZED if the person was revoked and not readmitted; LIMIT_EXCEEDED; INVALID_INPUT for a subject that
   * cannot be stored; CONFLICT if the person was revoked at the same moment
   */
  admit(admission: PersonAdmission): Promise<SignedInPerson>;
  /**
   * Ends every sign-in of the person with this subject, because the provider no longer gives the person a role. Does
   * nothing if no person has the subject. The next `admit` adds a person with another id.
   */
  dismiss(subject: string): Promise<void>;
  /**
   * Watches a person during a long answer. The signal aborts when the person is revoked or the person's account is
   * closed.
   */
  watch(id: string): Watched;
  /**
   * The calls of one person. Without a person, the application itself calls, and every call is allowed. A person of the
   * log is judged on the state to which a call appends its events.
   *
   * @param present asked before each decision as well, as for `owner` of Parley; left out, only the log judges
   * @param leftBehind `leftBehind` of `owner` of Parley for the same person, so that the answers to calls that take rights
   *   from people say what these people leave behind
   */
  calls(person?: Person, present?: Acting['present'], leftBehind?: FindLeft): PeopleCalls;
  /**
   * Returns a function that tells whether the person with an id is an approver at present, for the option `approvers` of
   * `owner` of Parley. It is true for the holder of the owner key, and for a person who is not in the log. For a person who is
   * also another person, it is the id as whose the approvals of both count.
   */
  approvers(): Promise<(personId: string) => boolean | string>;
  /**
   * Whether the person with this id may invite agents: is not revoked, has an open account, and is not a viewer. For the option
   * `mayInvite` of `createParley`. True for a person who is not in the log, because the application passed that person.
   */
  mayInvite(personId: string): Promise<boolean>;
  /** The limits of an account, for the option `limitsOf` of `createParley`. Undefined for an unknown account. */
  limitsOf(accountId: string): Promise<OwnerLimits | undefined>;
  /** Verifies the log of people from its first event to its present head. */
  verifyLog(): Promise<LogReport>;
  /** Stops reading the log for watched people. Does not close the storage. */
  close(): void;
}

/**
 * Opens the people of a service. All processes with the same storage have the same people. The next request sees a change by
 * another process; open streams of a revoked person end when a hint arrives, or after 3 s without a hint.
 */
export function openPeople(options: PeopleOptions): People {
  const { storage, makeKey, random, clock = systemClock, onFailure = () => undefined } = options;
  const usageOf = createUsageCache(storage, clock);
  const lastUses = new Map<string, number>();
  const look = (): void => void log.load().catch(onFailure);
  const watched = createWatchedPeople(clock, look);
  const log = openPeopleLog({
    storage,
    clock,
    random,
    onState(state) {
      watched.endUnless((id) => livingPerson(state, id) !== undefined);
    },
  });
  const stopHints = storage.onHint((changed) => {
    if (watched.isAny() && (changed.length === 0 || changed.includes(PEOPLE_LOG.sessionId))) look();
  });
  const used = ({ id, name, role, accountId, subject }: SignedInPerson): SignedInPerson => {
    lastUses.set(id, clock.now());
    return { id, name, role, accountId, ...(subject === undefined ? {} : { subject }) };
  };
  const usedIfLiving = (state: PeopleState, id: string): SignedInPerson | undefined => {
    const person = livingPerson(state, id);
    if (!person) return undefined;
    const countsAs = humanOf(state, id);
    return { ...used(person), ...(countsAs === id ? {} : { countsAs }) };
  };
  return {
    async withKey(key) {
      const state = await log.load();
      const id = lookUp(state.idByKeyHash, sha256Hex(key));
      return id === undefined ? undefined : usedIfLiving(state, id);
    },
    withId: async (id) => usedIfLiving(await log.load(), id),
    admit: async (admission) => used(await admit(log, random, admission)),
    dismiss: (subject) => dismiss(log, subject),
    watch: (id) => watched.watch(id),
    calls: (person, present, leftBehind) =>
      peopleCalls({ log, makeKey, random, lastUses, usageOf, leftBehind }, { person, present }),
    async approvers() {
      const state = await log.load();
      return (id) => standsAs(state, id, 'approver') && humanOf(state, id);
    },
    mayInvite: async (id) => standsAs(await log.load(), id, 'operator'),
    async limitsOf(accountId) {
      const account = lookUp((await log.load()).accounts, accountId);
      return account && { ...account.limits, isClosed: account.closed !== undefined };
    },
    verifyLog: () => log.verify(),
    close() {
      stopHints();
      watched.close();
    },
  };
}
