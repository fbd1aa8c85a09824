import type { SessionState } from '../areas/state.ts';
import { type Engine, loadState } from '../kernel/engine/engine.ts';
import { fail } from '../kernel/errors.ts';
import type { Person } from '../kernel/person.ts';
import type { ListedSession } from '../kernel/storage/listing.ts';
import { isStorableText } from '../kernel/storage/storable.ts';
import { echoName } from '../kernel/text/safe-echo.ts';

/** An owner, under whose `ownerId` the storage keeps the owner's sessions. `person` acts for the owner. */
export interface OwnerOf {
  readonly engine: Engine<SessionState>;
  readonly ownerId: string;
  readonly person?: Person | undefined;
  /** Whether the audit contains the events of the log of people, or a function that selects these events. */
  readonly readsPeople?: ReadsPeople | undefined;
}

/**
 * Which events of the log of people an audit contains: all if `true`, none if `false`. A function is called for each
 * page of events that is read; it returns a filter that gets the data of an event.
 */
export type ReadsPeople = boolean | (() => Promise<(data: unknown) => boolean>);

/** A session, and the owner to which it must belong. */
export interface OwnSession extends OwnerOf {
  readonly sessionId: string;
}

export function unknownSession(sessionId: string): never {
  return fail('UNKNOWN_RECORD', 'You have no session with this id.', {
    record: { type: 'session', id: echoName(sessionId) },
  });
}

export const identifyOwner =
  ({ ownerId, person }: Omit<OwnerOf, 'engine'>, sessionId: string) =>
  (state: SessionState) =>
    state.ownerId === ownerId ? { role: 'owner' as const, person } : unknownSession(sessionId);

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
  identifyOwner(own, sessionId)(state);
  return state;
}

const PAGE = 200;

/** All sessions of an owner, newest first. */
export async function* sessionsOf({ engine, ownerId }: OwnerOf, limit = PAGE): AsyncGenerator<ListedSession> {
  for (let after: string | undefined; ; ) {
    const page = await engine.storage.list(ownerId, after === undefined ? { limit } : { limit, after });
    yield* page;
    after = page.at(-1)?.sessionId;
    if (page.length < limit || after === undefined) return;
  }
}
