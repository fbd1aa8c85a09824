import { type IsApprover, stepsWithOpenApprovals, withStanding } from '../areas/approvals/rules.ts';
import type { SessionState } from '../areas/state.ts';
import { type Engine, loadState } from '../kernel/engine/engine.ts';
import { fail } from '../kernel/errors.ts';
import { brokenLog, type LoggedEvent, readEvent } from '../kernel/log/event.ts';
import { mapConcurrent } from '../kernel/maps.ts';
import type { Keyed } from '../kernel/operation/host-port.ts';
import { type Operation, roleNeeded } from '../kernel/operation/operation.ts';
import { type Acting, type Person, type PersonRole, presentPerson, requireRole } from '../kernel/person.ts';
import { isStorableText } from '../kernel/storage/storable.ts';
import type { ListedSession, OwnerEvent, OwnerEventPosition, OwnerEventsPage } from '../kernel/storage/storage.ts';
import { echoName } from '../kernel/text/safe-echo.ts';

/** An owner, under whose `ownerId` the storage keeps the owner's sessions, and who acts for the owner. */
export interface OwnerOf extends Acting {
  readonly engine: Engine<SessionState>;
  readonly ownerId: string;
  /** Whether the audit contains the events of the log of people, or a function that selects these events. */
  readonly readsPeople?: ReadsPeople | undefined;
  /** The account for which the person acts. Undefined, also as its result, if the service has only one. */
  readonly account?: (() => Promise<OwnAccount | undefined>) | undefined;
}

interface OwnAccount {
  readonly account_id: string;
  readonly name: string;
}

/**
 * Which events of the log of people an audit contains: all if `true`, none if `false`. A function is called for each
 * page of events that is read; it returns a filter that gets the data of an event.
 */
export type ReadsPeople = boolean | (() => Promise<(data: unknown) => boolean>);

/** A session, and the owner to which it must belong. */
export interface OwnSession extends OwnerOf {
  readonly sessionId: string;
  /** Of a call with an Idempotency-Key. */
  readonly keyed?: Keyed | undefined;
  /** Called before each decision of a write. A rejection refuses the write. */
  readonly judge?: (state: SessionState) => Promise<void>;
}

/**
 * Iterations of the event loop between two reads of owners. Node accepts one new connection in an iteration, so an agent
 * whose connection is the fortieth waits for forty iterations, and a read of an owner can take all the time of one. An
 * iteration without anything to do takes about 10 µs.
 */
const ITERATIONS_BETWEEN = 64;

/**
 * Runs a read of an owner when it is the owner's turn. Each read begins some iterations of the event loop later, because
 * the embedded database answers within one: new connections and requests of agents are taken in between. A read must not
 * call this function again, because it could then wait for itself.
 */
export const inTurn = <T>(
  { engine, ownerId }: Pick<OwnerOf, 'engine' | 'ownerId'>,
  read: () => Promise<T>,
): Promise<T> =>
  engine.ownerReads.run(ownerId, async () => {
    for (let left = ITERATIONS_BETWEEN; left > 0; left -= 1) await new Promise((resolve) => void setImmediate(resolve));
    return await read();
  });

/** Milliseconds after which a read that has waited for its turn is judged again. */
const WAITED_MS = 1_000;

/**
 * Runs a read of a person in turn.
 *
 * @throws ParleyError UNAUTHORIZED if the person was revoked or signed out while the read waited for its turn
 */
export function readInTurn<T>(owner: OwnerOf, read: () => Promise<T>): Promise<T> {
  const { clock } = owner.engine;
  const arrived = clock.now();
  return inTurn(owner, async () => {
    if (clock.now() - arrived > WAITED_MS) await presentPerson(owner);
    return await read();
  });
}

/** The log of a session, whose pages are read one by one when it is the owner's turn. */
export const pagesOf = (own: OwnSession) => ({
  sessionId: own.sessionId,
  engine: {
    storage: {
      events: (...range: Parameters<typeof own.engine.storage.events>) =>
        inTurn(own, () => own.engine.storage.events(...range)),
    },
  },
});

export function unknownSession(sessionId: string): never {
  return fail('UNKNOWN_RECORD', 'You have no session with this id.', {
    record: { type: 'session', id: echoName(sessionId) },
  });
}

const identifyOwner = (
  { ownerId, sessionId }: Pick<OwnSession, 'ownerId' | 'sessionId'>,
  state: SessionState,
  person?: Person,
) => (state.ownerId === ownerId ? { role: 'owner' as const, person } : unknownSession(sessionId));

/**
 * Returns who acts for the owner now. Called right before a decision that is stored.
 *
 * @throws ParleyError UNAUTHORIZED if the person may not act any more; ROLE_FORBIDDEN if the present role is not enough
 */
export async function judgedPerson(acting: Acting, needed: PersonRole, call: string): Promise<Person | undefined> {
  const person = await presentPerson(acting);
  requireRole(person, needed, call);
  return person;
}

/**
 * Runs an operation on one session of the owner. Before each decision of a write, asks again who acts for the owner.
 *
 * @param input the parsed input of the operation
 * @throws ParleyError the refusal of the operation; UNKNOWN_RECORD for a session of another owner
 */
export async function runOwn<I, O>(
  own: OwnSession,
  operation: Operation<SessionState, string, I, O>,
  input: unknown,
): Promise<O> {
  const { engine, ownerId, sessionId, present, approvers } = own;
  let { person } = own;
  let isApprover: IsApprover | undefined;
  const judge = async (state: SessionState) => {
    if (operation.decide && present) person = await judgedPerson(own, roleNeeded(operation), operation.name);
    isApprover = stepsWithOpenApprovals(state).length > 0 ? await approvers?.() : undefined;
    await own.judge?.(state);
  };
  const { value } = await engine.run({
    operation,
    sessionId,
    identify: (state) => identifyOwner(own, state, person),
    judge: present || approvers || own.judge ? judge : undefined,
    look: (state) => (isApprover ? withStanding(state, isApprover) : state),
    absent: () => unknownSession(sessionId),
    holder: ownerId,
    input,
    promise: own.keyed?.promise,
  });
  return value as O;
}

/**
 * Returns the session as the owner's list contains it. Throws if the session does not belong to this owner. Folds nothing, so it
 * works for a broken log too.
 */
export async function ownListing({ engine, ownerId, sessionId }: OwnSession): Promise<ListedSession> {
  const listed = isStorableText(sessionId) ? await engine.storage.find(ownerId, sessionId) : null;
  return listed ?? unknownSession(sessionId);
}

/** Returns the state of the session at the head that the storage has now. Throws if the session belongs to another owner. */
export async function ownState(own: OwnSession): Promise<SessionState> {
  const { engine, sessionId } = own;
  const state = await loadState(engine, { sessionId, absent: () => unknownSession(sessionId) });
  identifyOwner(own, state);
  return state;
}

/**
 * Returns a function that gives a state as the owner sees it now: approvals of people who are not approvers any more do
 * not count. Asks at most once who is an approver, and only if a state has approvals that are not complete.
 */
export function standingsOf({ approvers }: Pick<Acting, 'approvers'>): (state: SessionState) => Promise<SessionState> {
  let asked: Promise<IsApprover> | undefined;
  return async (state) => {
    if (!approvers || stepsWithOpenApprovals(state).length === 0) return state;
    asked ??= approvers();
    return withStanding(state, await asked);
  };
}

const PAGE = 200;

/** Number of sessions that one call reads or writes at the same time. */
export const SESSIONS_AT_ONCE = 8;

/**
 * Runs `work` once for each session that `listDue` returns. Lists again until no new session appears, so that a session
 * that is created meanwhile is reached too. Returns the number of sessions.
 */
export async function inEachSession(
  listDue: () => Promise<readonly string[]>,
  work: (sessionId: string) => Promise<void>,
): Promise<number> {
  for (const tried = new Set<string>(); ; ) {
    const due = (await listDue()).filter((id) => !tried.has(id));
    if (due.length === 0) return tried.size;
    for (const id of due) tried.add(id);
    await mapConcurrent(SESSIONS_AT_ONCE, due, work);
  }
}

/**
 * The pages of the events of the owners `ownerIds` that a filter selects. Each page is read when it is the owner's turn.
 *
 * @param viewed what is made of a page in the same turn, with what it has to read
 */
export async function* ownerEventPages<P>(
  owner: OwnerOf,
  ownerIds: readonly string[],
  filter: Omit<OwnerEventsPage, 'limit' | 'after'>,
  viewed: (events: readonly OwnerEvent[]) => P | Promise<P>,
): AsyncGenerator<P> {
  for (let after: OwnerEventPosition | undefined; ; ) {
    const range = { ...filter, limit: PAGE, after };
    const { last, page } = await inTurn(owner, async () => {
      const events = await owner.engine.storage.ownerEvents(ownerIds, range);
      return { last: events.at(-1), page: await viewed(events) };
    });
    if (!last) return;
    yield page;
    after = { at: readable(last).at, sessionId: last.sessionId, seq: last.seq };
  }
}

/** Parses a stored event. @throws ParleyError LOG_BROKEN if its text cannot be parsed */
export function readable(stored: OwnerEvent): LoggedEvent {
  try {
    return readEvent(stored);
  } catch (error) {
    throw brokenLog(stored.seq, error);
  }
}

/** All sessions of an owner, newest first. */
export async function* sessionsOf({ engine, ownerId }: OwnerOf, limit = PAGE): AsyncGenerator<ListedSession> {
  for (let after: string | undefined; ; ) {
    const page = await engine.storage.list(ownerId, after === undefined ? { limit } : { limit, after });
    yield* page;
    after = page.at(-1)?.sessionId;
    if (page.length < limit || after === undefined) return;
  }
}
