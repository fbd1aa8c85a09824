import { recordDelivery } from './areas/notices/record-delivery.ts';
import { dueNotices, type Notice } from './areas/notices/rules.ts';
import type { SessionState } from './areas/state.ts';
import type { Engine } from './kernel/engine/engine.ts';
import type { Committed } from './kernel/waiting/wake-ups.ts';
import { identifyOwner, type OwnSession, ownState, unknownSession } from './own-session.ts';

/** A delivered notice to be recorded. */
export interface Delivery {
  readonly wait_id: string;
  readonly number: number;
  /** False if the wait ended while the notice was being delivered; true if it lasted until the end of the delivery. */
  readonly unbroken: boolean;
}

/**
 * Called after each write of this process to a session of the owner. `read` returns the notices that are due after that write.
 */
export type NoticeListener = (sessionId: string, read: () => readonly Notice[]) => void;

/** The notices that are due in the state that the storage has now. */
export const readDueNotices = async (own: OwnSession): Promise<readonly Notice[]> => dueNotices(await ownState(own));

export async function recordNotice({ engine, ownerId, sessionId }: OwnSession, input: Delivery): Promise<void> {
  const identify = identifyOwner(ownerId, sessionId);
  const absent = () => unknownSession(sessionId);
  await engine.run({ operation: recordDelivery, sessionId, identify, absent, holder: ownerId, input });
}

/**
 * Calls the listener after each write of this process to a session of the owner.
 *
 * @returns the function that ends the calls
 */
export function watchNotices(
  { signals }: Pick<Engine<SessionState>, 'signals'>,
  ownerId: string,
  listener: NoticeListener,
): () => void {
  const onCommitted = ({ state }: Committed<SessionState>): void => {
    if (state.ownerId === ownerId) listener(state.sessionId, () => dueNotices(state));
  };
  signals.on('committed', onCommitted);
  return () => signals.off('committed', onCommitted);
}
