import { recordDelivery } from '../areas/notices/operations.ts';
import { dueNotices, type Notice } from '../areas/notices/rules.ts';
import type { SessionState } from '../areas/state.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { presenceOf } from '../kernel/engine/replies.ts';
import type { Committed } from '../kernel/waiting/wake-ups.ts';
import { noteQuiet } from './inbox.ts';
import { type OwnSession, ownState, runOwn, standingsOf } from './own-session.ts';

/** The record of a notice that was delivered. */
export interface Delivery {
  readonly wait_id: string;
  readonly number: number;
  /** Whether the task was still waiting when the delivery ended. False if the task ended during the delivery. */
  readonly unbroken: boolean;
}

/**
 * Called after each write of this process to a session of the owner. `read` returns the notices that must be delivered
 * after that write.
 */
export type NoticeListener = (sessionId: string, read: () => readonly Notice[]) => void;

/** Returns the notices that must be delivered for a session, according to the state at the present head of its log. */
export async function readDueNotices(own: OwnSession): Promise<readonly Notice[]> {
  const { engine, sessionId } = own;
  const state = await ownState(own);
  const presence = presenceOf(engine, await engine.presence.of(sessionId));
  await noteQuiet(engine, state, presence);
  return dueNotices(await standingsOf(own)(state), presence);
}

export async function recordNotice(own: OwnSession, input: Delivery): Promise<void> {
  await runOwn(own, recordDelivery, input);
}

/** Calls `listener` after each write of this process to a session of the owner. Returns a function that removes it. */
export function watchNotices(engine: Engine<SessionState>, ownerId: string, listener: NoticeListener): () => void {
  const onCommitted = ({ state }: Committed<SessionState>): void => {
    if (state.ownerId === ownerId)
      listener(state.sessionId, () => dueNotices(state, presenceOf(engine, engine.presence.ownOf(state.sessionId))));
  };
  const { signals } = engine;
  signals.on('committed', onCommitted);
  return () => signals.off('committed', onCommitted);
}
