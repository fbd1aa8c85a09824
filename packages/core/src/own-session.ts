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
 * The storage's list entry of the session, if the session belongs to this owner. Works for a broken log too, because
 * nothing is folded.
 */
export async function ownListing({ engine, ownerId, sessionId }: OwnSession): Promise<ListedSession> {
  const listed = isStorableText(sessionId) ? await engine.storage.find(ownerId, sessionId) : null;
  return listed ?? unknownSession(sessionId);
}

/** The state as the storage confirms it now, if the session belongs to this owner. */
export async function ownState({ engine, ownerId, sessionId }: OwnSession): Promise<SessionState> {
  const state = await loadState(engine, { sessionId, absent: () => unknownSession(sessionId) });
  identifyOwner(ownerId, sessionId)(state);
  return state;
}
