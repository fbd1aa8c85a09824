import { recordDelivery } from './areas/notices/record-delivery.ts';
import { dueNotices, type Notice } from './areas/notices/rules.ts';
import type { SessionState } from './areas/state.ts';
import type { Engine } from './kernel/engine/engine.ts';
import type { Committed } from './kernel/waiting/wake-ups.ts';
import { identifyOwner, type OwnSession, ownState, unknownSession } from './own-session.ts';

/** A delivery to record: the notice, and whether the wait lasted the whole time. */
export interface Delivery {
  readonly wait_id: string;
  readonly number: number;
  /** False if the wait ended while the notice was being delivered. */
  readonly unbroken: boolean;
}

/**
 * Called after each write of this process to one of the owner's sessions; `read` gives the notices that are due then.
 */
export type NoticeListener = (sessionId: string, read: () => readonly Notice[]) => void;

/** The notices due in the state that the storage confirms now. */
export const readDueNotices = async (own: OwnSession): Promise<readonly Notice[]> => dueNotices(await ownState(own));

export async function recordNotice({ engine, ownerId, sessionId }: OwnSession, input: Delivery): Promise<void> {
  const identify = identifyOwner(ownerId, sessionId);
  const absent = () => unknownSession(sessionId);
  await engine.run({ operation: recordDelivery, sessionId, identify, absent, holder: ownerId, input });
}

/** @returns the function that ends the subscription */
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
