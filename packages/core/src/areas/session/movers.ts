import { latestTime } from '../../kernel/clock.ts';
import type { Presence } from '../../kernel/last-calls.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { AGENTS, type Agent, type Builder, isBuilder, ROLES, type Role } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import { isOptional, openActionsOf } from '../actions/rules.ts';
import type { Action } from '../actions/state.ts';
import type { SessionState } from '../state.ts';
import { isWaiting } from '../task.ts';
import { isCaveat, nextTask } from '../tasks/due.ts';
import { nextAgent } from '../turns/rules.ts';
import { ownerWaits } from './owner-waits/owner-waits.ts';
import type { OwnerWait } from './owner-waits/waits.ts';
import { pausedMs } from './state.ts';

/**
 * The roles that must act next: the owner if a blocking task waits for the owner, and in an ACTIVE session each agent
 * whose instruction names a call that neither waits nor acknowledges events. An agent comes last if its next step is the
 * answer to a finding that does not block or to a directive that it has acknowledged, because no other step depends on it.
 * @param presence adds the owner's tasks that depend on the time and on the agents' last calls
 */
export function moversOf(state: SessionState, presence?: Presence): Role[] {
  const { status } = state.profile;
  if (status === 'ENDED') return [];
  const agents = AGENTS.filter((role) => role !== 'moderator' || hasModerator(state)).filter((role) => {
    const next = nextTask(state, role);
    return status === 'ACTIVE' && !isWaiting(next) && next.code !== 'READ_EVENTS';
  });
  const last = agents.filter((role) => isCaveat(nextTask(state, role)));
  const inOrder = [...agents.filter((role) => !last.includes(role)), ...last];
  return ownerWaits(state, presence).some(({ blocking }) => blocking) ? ['owner', ...inOrder] : inOrder;
}

/**
 * Time of the last event other than pausing and resuming. If the last event of the session paused or resumed it, the
 * latest of these stored times: the creation and the start of the session, the last event of each role, the last turn,
 * and the last event that may have made the owner's next step possible.
 */
export function lastActivityAt(state: SessionState): string {
  const { at, times, profile } = state;
  if (!isPauseOrResume(state, at)) return at;
  const wrote = ROLES.map((role) => wroteAt(state, role));
  return latestTime([profile.created_at, ...wrote, times.startedAt, times.turnAt, times.clearedAt]) ?? at;
}

/**
 * Time of the last event of a role. If the owner's last event paused or resumed the session, the time of the owner's
 * last intervention or answer to a question.
 */
function wroteAt(state: SessionState, role: Role): string | null {
  const time = state.times.wroteAt[role] ?? null;
  if (role !== 'owner' || !isPauseOrResume(state, time)) return time;
  const opened = valuesOf(state.interventions.all).flatMap(({ from, opened_at }) =>
    from === 'owner' ? [opened_at] : [],
  );
  const answered = valuesOf(state.questions.all).flatMap(({ to, answered_at }) =>
    to === 'owner' && answered_at !== null ? [answered_at] : [],
  );
  return latestTime([...opened, ...answered]);
}

/** Whether the event at this time, the last event of the owner or of the session, paused or resumed the session. */
function isPauseOrResume({ times, profile }: SessionState, at: string | null): boolean {
  const { status } = profile;
  return times.pausedAt !== null && (status === 'ACTIVE' || status === 'PAUSED') && at === times.statusAt;
}

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
