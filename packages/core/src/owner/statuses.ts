import type { z } from 'zod';
import { reportStatus } from '../areas/links/operations.ts';
import { type DueStatus, dueStatuses, isSettled, targetIn } from '../areas/links/rules.ts';
import { targetOf } from '../areas/links/state.ts';
import { linkChange, unlinkChange } from '../areas/owner/links.ts';
import type { SessionState } from '../areas/state.ts';
import { type Engine, loadState } from '../kernel/engine/engine.ts';
import { ParleyError } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import type { Committed } from '../kernel/waiting/wake-ups.ts';
import { dropTokens, keepToken, readToken, sessionsWithTokens } from './forge-tokens.ts';
import { judgedPerson, type OwnSession, ownState, runOwn, unknownSession } from './own-session.ts';

/** What a forge answered to a commit status. */
export type StatusReport = z.output<typeof reportStatus.input>;

/** The calls with which a service posts commit statuses. They check no owner, so pass them only to the service itself. */
export interface StatusCalls {
  /** The ids of the sessions that have tokens for forges. */
  sessions(): AsyncIterable<string>;
  /** The statuses that the forges do not have yet. Erases the tokens of a session that is deleted, or ended with nothing due. */
  due(sessionId: string): Promise<readonly DueStatus[]>;
  /** The token with which to post a status. Null if there is none that this installation can read. */
  token(status: DueStatus): Promise<string | null>;
  report(sessionId: string, report: StatusReport): Promise<void>;
  /** Calls `listener` after each write of this process. Returns a function that removes it. */
  watch(listener: (sessionId: string, read: () => readonly DueStatus[]) => void): () => void;
}

export const statusCalls = (engine: Engine<SessionState>): StatusCalls => ({
  sessions: () => sessionsWithTokens(engine),
  due: (sessionId) => dueOrSettled(engine, sessionId),
  token: (status) => readToken(engine, status.session_id, status),
  async report(sessionId, report) {
    const { ownerId } = await loadState(engine, { sessionId, absent: () => unknownSession(sessionId) });
    await runOwn({ engine, ownerId, sessionId }, reportStatus, report);
  },
  watch(listener) {
    const onCommitted = ({ state }: Committed<SessionState>): void =>
      listener(state.sessionId, () => dueStatuses(state));
    engine.signals.on('committed', onCommitted);
    return () => engine.signals.off('committed', onCommitted);
  },
});

async function dueOrSettled(engine: Engine<SessionState>, sessionId: string): Promise<readonly DueStatus[]> {
  try {
    const state = await loadState(engine, { sessionId, absent: () => unknownSession(sessionId) });
    if (isSettled(state)) await dropTokens(engine, sessionId);
    return dueStatuses(state);
  } catch (error) {
    if (!(error instanceof ParleyError) || error.code !== 'UNKNOWN_RECORD') throw error;
    await dropTokens(engine, sessionId);
    return [];
  }
}

/** Keeps or erases the token that a call of the owner names, before the call is decided. */
export async function applyToken(own: OwnSession, { name }: Operation<SessionState>, input: unknown): Promise<void> {
  if (name === unlinkChange.name) {
    await judged(own, name);
    const { role } = unlinkChange.input.parse(input);
    await dropTokens(own.engine, own.sessionId, [role]);
  } else if (name === linkChange.name) {
    const { links } = await judged(own, name);
    const { token, ...given } = linkChange.input.parse(input);
    const target = targetIn(given);
    const { role } = target;
    const before = links[role];
    if (token !== undefined) await keepToken(own.engine, own.sessionId, { ...target, token });
    else if (before && targetOf(before) !== targetOf(target)) await dropTokens(own.engine, own.sessionId, [role]);
  }
}

async function judged(own: OwnSession, name: string): Promise<SessionState> {
  await judgedPerson(own, 'operator', name);
  return await ownState(own);
}
