import { latestTime } from '../../kernel/clock.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { type Agent, type Builder, isBuilder, ROLES, type Role } from '../../kernel/roles.ts';
import { isOptional, openActionsOf } from '../actions/rules.ts';
import type { Action } from '../actions/schemas.ts';
import type { SessionState } from '../state.ts';
import { isCaveat, nextTask } from '../tasks/due.ts';
import { nextAgent } from '../turns/rules.ts';
import { wroteAt } from './last-activity.ts';
import type { OwnerWait } from './owner-waits/owner-wait.ts';
import { pausedMs } from './times.ts';

/**
 * Time since which the first of the given roles could have acted. Null if no role is given.
 * - For the owner: the time since which its oldest blocking task waits. A task about an agent that stopped calling
 *   waits since the agent could have acted, so that the time stays the same when the agent becomes silent.
 * - For an agent with an open action: the time of its oldest open action. Actions for answers to findings that do not
 *   block count only if the agent has no other step.
 * - For a builder without an open action whose turn is next: the time of the last turn.
 * - For any other agent: the time of the last event of another role.
 * For an agent, the time is not before the start of the session, and is later by the part of the latest pause that follows
 * it, because an agent can do nothing during a pause.
 */
export function moverSince(state: SessionState, movers: readonly Role[], waits: readonly OwnerWait[]): string | null {
  const [first] = movers;
  if (first === undefined) return null;
  if (first !== 'owner') return agentSince(state, first);
  return earliest(waits.flatMap((wait) => (wait.blocking ? [stoppedSince(state, wait) ?? wait.since] : [])));
}

/**
 * The time since which a builder could have acted, if the task is about the absence of this builder and its token is
 * not revoked. Null otherwise.
 */
function stoppedSince(state: SessionState, { kind, record }: OwnerWait): string | null {
  const role = record.id;
  if (kind !== 'AGENT_ABSENT' || !isBuilder(role)) return null;
  const token = lookUp(state.access.tokens, state.access.currentToken[role] ?? '');
  return token?.revoked_at === null ? agentSince(state, role) : null;
}

/** The time since which an agent has been able to act, later by the pause after it. Null if the session has not started. */
export function agentSince(state: SessionState, role: Agent): string | null {
  const due = earliest(countedActions(state, role).map(({ opened_at }) => opened_at));
  const since = latestTime([
    due ?? (isBuilder(role) ? turnAt(state, role) : null) ?? othersAt(state, role),
    state.times.startedAt,
  ]);
  if (since === null) return null;
  const sinceMs = Date.parse(since);
  return new Date(sinceMs + pausedMs(state, sinceMs)).toISOString();
}

/** The open actions of an agent. Optional actions are left out unless the agent has no other step. */
function countedActions(state: SessionState, agent: Agent): readonly Action[] {
  const open = openActionsOf(state.actions, agent);
  const needed = open.filter((action) => !isOptional(state, action));
  return needed.length === 0 && isBuilder(agent) && isCaveat(nextTask(state, agent)) ? open : needed;
}

const turnAt = (state: SessionState, builder: Builder): string | null =>
  state.profile.phase === 'PLANNING' && nextAgent(state) === builder
    ? (state.times.turnAt ?? state.times.startedAt)
    : null;

const othersAt = (state: SessionState, role: Role): string | null =>
  latestTime(ROLES.map((other) => (other === role ? null : wroteAt(state, other))));

const earliest = (times: readonly string[]): string | null => times.toSorted()[0] ?? null;
