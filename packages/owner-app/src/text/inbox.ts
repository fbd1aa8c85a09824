import { counted } from '@parley/core/text';
import { type Agent, canCall, hindranceOf } from './agent.ts';

/** The members of a task for the owner by which `inboxOf` sorts sessions. */
interface InboxWait {
  readonly kind: string;
  readonly blocking: boolean;
  /** Time since which the task waits, ISO 8601. Older services do not send this member. */
  readonly since?: string | undefined;
  /** The record that the task is about. For a task about an absent agent, `id` is the agent's role. */
  readonly record?: { readonly id: string } | undefined;
}

export interface InboxSession {
  readonly status: string;
  /** Time of the last event, ISO 8601. */
  readonly updated_at: string;
  readonly waits: readonly InboxWait[];
  /** The call of *Stop all* that paused the session. Absent if no such call paused it. */
  readonly stopped?: { readonly pause_id: string } | undefined;
  /** Number of further tasks that the service's answer does not list. Absent if it lists all tasks. */
  readonly left_out?: { readonly count: number } | undefined;
}

type SessionWaits<Wait> = Pick<InboxSession, 'status'> & { readonly waits: readonly Wait[] };

type CountedSession = Omit<InboxSession, 'updated_at'>;

/** The sessions with tasks for the owner, in three groups. */
export interface Inbox<Session> {
  /**
   * Sessions with at least one task that is not about an absent agent. Sessions with a blocking task come first.
   * They are sorted by the time of their oldest blocking task, the other sessions by the time of their oldest task.
   */
  readonly open: readonly Session[];
  /** Sessions whose tasks are all about absent agents, the oldest absence first. */
  readonly absent: readonly Session[];
  /**
   * Drafts and paused sessions with tasks. These tasks are not urgent, because the owner has not started the session,
   * or has paused it.
   */
  readonly parked: readonly Session[];
}

interface AbsentSession {
  readonly waits: readonly InboxWait[];
  readonly agents: readonly Agent[];
}

/**
 * Whether an absent agent of a session has something to do but no access. The session stops until the owner invites the
 * agent. Other absent agents may come back by themselves.
 */
export const needsInvitation = ({ waits, agents }: AbsentSession, nowMs: number): boolean => {
  const due = waits.filter((wait) => isAbsence(wait) && wait.blocking).map(({ record }) => record?.id);
  return agents.some((agent) => due.includes(agent.role) && !canCall(agent, nowMs));
};

/** The text for an inbox without tasks. Most absent agents need no decision of the owner. */
export function nothingText(absent: readonly AbsentSession[], nowMs: number): string {
  const stopped = absent.filter((session) => needsInvitation(session, nowMs)).length;
  if (stopped > 0) return `${counted(stopped, 'session stops', 'sessions stop')} until an invited agent joins`;
  return absent.length === 0 ? 'Nothing waits for you' : 'No decision waits for you, but agents are absent';
}

/** Sorts sessions into the groups of the inbox. A session without tasks is in no group. */
export function inboxOf<Session extends InboxSession>(sessions: readonly Session[]): Inbox<Session> {
  const waiting = sessions.filter(({ waits }) => waits.length > 0);
  const running = waiting.filter((session) => !isParked(session)).toSorted(byUrgency);
  return {
    open: running.filter((session) => waitsToSettle(session).length > 0),
    absent: running.filter((session) => waitsToSettle(session).length === 0),
    parked: waiting.filter(isParked),
  };
}

/** The tasks of a session that are not about absent agents. */
export const waitsToSettle = <Wait extends InboxWait>({ waits }: { readonly waits: readonly Wait[] }): Wait[] =>
  waits.filter((wait) => !isAbsence(wait));

/**
 * The tasks of a session that count as waiting for the owner: none about absent agents, and none in a draft or paused
 * session, because its tasks are not urgent.
 */
export const countedWaits = <Wait extends InboxWait>(session: SessionWaits<Wait>): Wait[] =>
  isParked(session) ? [] : waitsToSettle(session);

/** Number of the tasks that `countedWaits` returns, plus `left_out.count`. 0 for a draft or paused session. */
export const countToSettle = (session: CountedSession) =>
  isParked(session) ? 0 : countedWaits(session).length + (session.left_out?.count ?? 0);

/** The roles that must act next: the owner if a task counts as waiting for the owner, then the agents of `movers`. */
export const whoseMove = <Role extends string>(
  session: CountedSession & { readonly movers: readonly Role[] },
): (Role | 'owner')[] => [
  ...(countToSettle(session) > 0 ? (['owner'] as const) : []),
  ...session.movers.filter((role) => role !== 'owner'),
];

/**
 * Whether a session waits only for agents that do not take their steps. False if the owner, or an agent that acts, has a
 * step.
 */
export const isHeldUp = (
  session: CountedSession & { readonly movers: readonly string[]; readonly agents: readonly Agent[] },
  nowMs: number,
): boolean =>
  whoseMove(session).every((role) => {
    const agent = session.agents.find((one) => one.role === role);
    const hindrance = agent && hindranceOf(agent, nowMs, absentRoles(session).includes(role));
    return hindrance !== undefined && hindrance !== 'token ends';
  });

/** The members of a session that say when its agents wrote. */
export interface WrittenSession {
  readonly created_at: string;
  readonly agents: readonly Pick<Agent, 'wrote_at'>[];
}

/** Time of the last event of an agent in a session, else of the creation of the session. */
export const lastWroteAt = ({ agents, created_at }: WrittenSession): string =>
  agents
    .flatMap(({ wrote_at }) => wrote_at ?? [])
    .toSorted()
    .at(-1) ?? created_at;

/**
 * Whether an agent of a session has something to do, but no agent has written for at least `minMs`. In a session that is
 * not active, no agent has to have something to do.
 */
export const isIdle = (
  session: WrittenSession & { readonly status: string; readonly movers: readonly string[] },
  minMs: number,
  nowMs: number,
): boolean =>
  (session.status !== 'ACTIVE' || session.movers.some((role) => role !== 'owner')) &&
  nowMs - Date.parse(lastWroteAt(session)) >= minMs;

/** A role that must act next, and since when. `since` is undefined if the service does not say it. */
export interface MoverTime {
  readonly role: string;
  readonly since: string | undefined;
}

/** A session with the members that say since when each role can act. */
export interface TimedSession extends CountedSession {
  readonly movers: readonly string[];
  /** Time since which the first role in `movers` can act. */
  readonly since?: string | null | undefined;
  /** The overview has the times in `duties`, the view of a session has them in `agents`. */
  readonly duties?: readonly { readonly role: string; readonly since?: string | undefined }[] | undefined;
  readonly agents?: readonly { readonly role: string; readonly due_since?: string | null | undefined }[] | undefined;
}

/** The roles that must act next, each with its time. */
export const moverTimes = (session: TimedSession): MoverTime[] =>
  whoseMove(session).map((role) => ({
    role,
    since: role === 'owner' ? ownerSince(session) : agentSince(session, role),
  }));

/** Time since which a session waits for the role that has been able to act longest. Undefined if no role must act. */
export const longestWait = (session: TimedSession): string | undefined =>
  earliest(moverTimes(session).flatMap(({ since }) => since ?? []));

/** Time since which the first step of `nextSteps` waits. Undefined if no role must act. */
export function firstStepSince(session: TimedSession): string | undefined {
  const [first] = moverTimes(session);
  if (first?.role !== 'owner') return first?.since;
  const [task] = mostUrgentFirst(countedWaits(session));
  return task?.since ?? first.since;
}

function ownerSince(session: TimedSession): string | undefined {
  if (session.movers[0] === 'owner' && session.since) return session.since;
  return earliest(countedWaits(session).flatMap(({ since }) => since ?? []));
}

function agentSince({ duties, agents, movers, since }: TimedSession, role: string): string | undefined {
  const own =
    duties?.find((duty) => duty.role === role)?.since ?? agents?.find((agent) => agent.role === role)?.due_since;
  return own ?? (movers[0] === role ? since : undefined) ?? undefined;
}

const earliest = (times: readonly string[]): string | undefined => times.toSorted()[0];

/** The tasks of a session that are about absent agents. All of them are shown on one line. */
export const foldedAbsences = <Wait extends InboxWait>({ waits }: { readonly waits: readonly Wait[] }): Wait[] =>
  waits.filter(isAbsence);

/** The roles of the agents that the service reports as absent. */
export const absentRoles = (session: { readonly waits: readonly InboxWait[] }): string[] =>
  foldedAbsences(session).flatMap(({ record }) => record?.id ?? []);

/** Sorts tasks: first the tasks that block, then the other tasks, then absent agents. */
export const mostUrgentFirst = <Wait extends Pick<InboxWait, 'kind' | 'blocking'>>(waits: readonly Wait[]): Wait[] =>
  waits.toSorted((one, other) => rankOf(one) - rankOf(other));

const rankOf = ({ kind, blocking }: Pick<InboxWait, 'kind' | 'blocking'>): number =>
  kind === 'AGENT_ABSENT' ? 2 : blocking ? 0 : 1;

/** The heading of the list of tasks in the inbox: `5 stop their session, 7 do not`. */
export function inboxOutline(waits: readonly Pick<InboxWait, 'blocking'>[]): string {
  const blocking = waits.filter((wait) => wait.blocking).length;
  const others = waits.length - blocking;
  if (blocking === 0) return `None of ${others} stops its session`;
  const stops = counted(blocking, 'stops its session', 'stop their session');
  return others === 0 ? stops : `${stops}, ${counted(others, 'does not', 'do not')}`;
}

const isAbsence = ({ kind }: InboxWait): boolean => kind === 'AGENT_ABSENT';

/** Whether a session is a draft or paused. False for a session with a broken log, because its status is not known. */
export const isParked = ({ status, waits }: SessionWaits<InboxWait>): boolean =>
  (status === 'DRAFT' || status === 'PAUSED') && !waits.some(({ kind }) => kind === 'LOG_BROKEN');

/** Orders sessions as `Inbox.open` does. */
export function byUrgency(one: InboxSession, other: InboxSession): number {
  const blocks = Number(hasBlocker(other)) - Number(hasBlocker(one));
  return blocks === 0 ? oldestOf(one).localeCompare(oldestOf(other)) : blocks;
}

const isAsking = (wait: InboxWait): boolean => wait.blocking && !isAbsence(wait);

const hasBlocker = ({ waits }: InboxSession): boolean => waits.some(isAsking);

/**
 * The time by which `byUrgency` sorts a session: the time of its oldest blocking task, else of its oldest task, else of
 * its oldest absence.
 */
function oldestOf(session: InboxSession): string {
  const tasks = waitsToSettle(session);
  const waits = [session.waits.filter(isAsking), tasks].find(({ length }) => length > 0) ?? session.waits;
  const times = waits.map(({ since }) => since ?? session.updated_at);
  return times.toSorted()[0] ?? session.updated_at;
}
