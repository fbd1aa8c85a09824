import type { SessionState } from './areas/state.ts';
import { type Engine, loadState } from './kernel/engine/engine.ts';
import { fail } from './kernel/errors.ts';
import { echoName } from './kernel/safe-echo.ts';
import { isStorableText } from './kernel/storage/storable.ts';
import type { ListedSession } from './kernel/storage/storage.ts';

/** A session of one owner. */
export interface OwnSession {
  readonly engine: Engine<SessionState>;
  readonly ownerId: string;
  readonly sessionId: string;
}

export function unknownSession(sessionId: string): never {
  return fail('UNKNOWN_RECORD', 'You have no session with this id.', {
    record: { type: 'session', id: echoName(sessionId) },
  });
}

export const identifyOwner = (ownerId: string, sessionId: string) => (state: SessionState) =>
  state.ownerId === ownerId ? { role: 'owner' as const } : unknownSession(sessionId);

/**
 * The entry of the session in the storage's list, if the session belongs to this owner. It is read without folding, so it
 * exists for a broken log too.
 */
export async function ownListing({ engine, ownerId, sessionId }: OwnSession): Promise<ListedSession> {
  const listed = isStorableText(sessionId) ? await engine.storage.find(ownerId, sessionId) : null;
  return listed ?? unknownSession(sessionId);
}

/** The state of the session as the storage has it now. Throws if the session belongs to another owner. */
export async function ownState({ engine, ownerId, sessionId }: OwnSession): Promise<SessionState> {
  const state = await loadState(engine, { sessionId, absent: () => unknownSession(sessionId) });
  identifyOwner(ownerId, sessionId)(state);
  return state;
}
