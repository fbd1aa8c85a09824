import { counted, factsOf, plural } from '@parley/core/text';
import { type Agent, canCall, hindranceOf, IDLE_MS, namedText } from './agent.ts';
import { ageText } from './time.ts';
import { shortened } from './visible.ts';

/** The members of a task for the owner by which `inboxOf` sorts sessions. */
interface InboxWait {
  readonly kind: string;
  readonly blocking: boolean;
  /** Time since which the task waits, ISO 8601. Older services do not send this member. */
  readonly since?: string | undefined;
  /** The record that the task is about. For a task about an absent agent, `id` is the agent's role. */
  readonly record?: { readonly id: string } | undefined;
}

interface InboxSession {
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
interface WrittenSession {
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
interface MoverTime {
  readonly role: string;
  readonly since: string | undefined;
}

/** A session with the members that say since when each role can act. */
interface TimedSession extends CountedSession {
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
function byUrgency(one: InboxSession, other: InboxSession): number {
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

interface Parted<Session> {
  /** Sessions that a *Stop all* paused. Sessions with a task besides resuming come first, the most urgent first. */
  readonly stopped: readonly Session[];
  /** Drafts, and sessions that were paused alone. */
  readonly parked: readonly Session[];
}

/** Parts the drafts and paused sessions of the inbox. */
export const partParked = <Session extends InboxSession>(parked: readonly Session[]): Parted<Session> => ({
  stopped: parked.filter(({ stopped }) => stopped !== undefined).toSorted(byStoppedUrgency),
  parked: parked.filter(({ stopped }) => stopped === undefined),
});

/** The tasks of a stopped session, besides resuming it and absent agents. */
export const tasksWhileStopped = <Wait extends { readonly kind: string; readonly blocking: boolean }>(session: {
  readonly waits: readonly Wait[];
}): Wait[] => waitsToSettle(session).filter(({ kind }) => kind !== 'RESUME');

/** Number of tasks in stopped sessions, besides resuming them and absent agents. */
export const countWhileStopped = (stopped: readonly Pick<InboxSession, 'waits' | 'left_out'>[]): number =>
  stopped.reduce((sum, session) => sum + tasksWhileStopped(session).length + (session.left_out?.count ?? 0), 0);

/** The text for sessions that a *Stop all* paused: `10 tasks wait in 9 of 39 stopped sessions`. */
export function stoppedText(stopped: readonly Pick<InboxSession, 'waits' | 'left_out'>[]): string {
  const tasks = countWhileStopped(stopped);
  const withTasks = stopped.filter((session) => countWhileStopped([session]) > 0).length;
  const sessions = `${stopped.length} ${tasks > 0 ? 'stopped ' : ''}${stopped.length === 1 ? 'session' : 'sessions'}`;
  if (tasks === 0) return `${sessions} ${stopped.length === 1 ? 'is' : 'are'} stopped`;
  return `${counted(tasks, 'task waits', 'tasks wait')} in ${withTasks < stopped.length ? `${withTasks} of ` : ''}${sessions}`;
}

type WorkingSession = WrittenSession & { readonly status: string; readonly movers: readonly string[] };

/** How many of the given sessions are active and idle, and for how long at most. Empty if none is. */
export function idleText(sessions: readonly WorkingSession[], nowMs: number): string {
  const idle = sessions.filter((session) => session.status === 'ACTIVE' && isIdle(session, IDLE_MS, nowMs));
  const oldest = idle.map(lastWroteAt).toSorted()[0];
  if (oldest === undefined) return '';
  return `In ${plural(idle.length, 'session')}, the agents have something to do but have written nothing for up to ${ageText(oldest, nowMs)}`;
}

/**
 * The short text of the inbox for the bar above each page.
 *
 * @param count number of tasks that wait for the owner in running sessions
 */
export function inboxLabel(
  count: number,
  { absent, stopped }: Pick<Inbox<InboxSession>, 'absent'> & Pick<Parted<InboxSession>, 'stopped'>,
): string {
  if (count > 0) return `${counted(count, 'waits', 'wait')} for you`;
  const inStopped = countWhileStopped(stopped);
  if (inStopped > 0) return `${counted(inStopped, 'waits', 'wait')} in stopped sessions`;
  return absent.length > 0 ? 'Agents are absent' : 'Nothing waits for you';
}

function byStoppedUrgency(one: InboxSession, other: InboxSession): number {
  const mine = { ...one, waits: tasksWhileStopped(one) };
  const others = { ...other, waits: tasksWhileStopped(other) };
  const tasks = Number(others.waits.length > 0) - Number(mine.waits.length > 0);
  return tasks === 0 ? byUrgency(mine, others) : tasks;
}

/** The mark before a line of the list of tasks. */
export const MARKS = {
  /** A task that stops its session. */
  stops: '!',
  /** A task that does not stop its session. */
  runs: '-',
  /** The absent agents of a session that stops until the owner invites one of them. */
  locked: 'x',
  /** The absent agents of any other session. */
  absent: '~',
  /** A task of a draft or paused session. */
  parked: '=',
} as const;

/** The members of a task of the owner that its short description needs. */
interface Task {
  readonly kind: string;
  readonly record: { readonly type: string; readonly id: string };
}

/**
 * Describes a task of the owner briefly, such as `Approve r_5`.
 *
 * @param nameOf returns the name of an agent in its session
 */
export function taskOf({ kind, record }: Task, nameOf = (role: string): string => role): string {
  const task = taskName(kind);
  if (record.type === 'session' || record.type === 'manifest') return task;
  return `${task} ${record.type === 'agent' ? nameOf(record.id) : record.id}`;
}

/** The words of a kind of task, without the record. */
export const taskName = (kind: string): string => factsOf(kind)?.name ?? 'Look at';

/** Whether a value in the payload of a task is a placeholder such as `<reason>`, which the owner must replace. */
export const isPlaceholder = (value: unknown): boolean => typeof value === 'string' && /^<.*>$/s.test(value);

/** The members of a session that say who must act next. */
interface ActingSession<Role extends string = string> {
  readonly status: string;
  readonly movers: readonly Role[];
  readonly waits: readonly (Task & { readonly blocking: boolean; readonly text?: string | undefined })[];
  /** What each agent in `movers` has to do. Older services do not send this member in lists of sessions. */
  readonly duties?: readonly { readonly role: string; readonly text: string }[] | undefined;
  readonly left_out?: { readonly count: number } | undefined;
}

interface NextStep<Role extends string> {
  readonly role: Role | 'owner';
  /** For the owner the tasks, such as `Approve r_2`; for an agent its duty. Empty if the duty is not known. */
  readonly text: string;
}

type NameOf = (role: string) => string;

/** The members of the view of a session. Its `left_out` counts records of all lists, so it is not copied. */
export const actingIn = <Role extends string>({
  state: { status },
  movers,
  waits,
  duties,
}: Omit<ActingSession<Role>, 'status' | 'left_out'> & { readonly state: { readonly status: string } }) => ({
  status,
  movers,
  waits,
  duties,
});

/**
 * The next step of each role that `whoseMove` returns.
 *
 * @param maxTasks maximum number of the owner's tasks that are named. Further tasks are only counted
 */
export const nextSteps = <Role extends string>(
  session: ActingSession<Role>,
  nameOf: NameOf,
  maxTasks: number,
): NextStep<Role>[] =>
  whoseMove(session).map((role) => ({
    role,
    text: role === 'owner' ? tasksText(session, nameOf, maxTasks) : dutyText(session, role, nameOf),
  }));

/** The owner's tasks as `Approve r_2, Answer q_4 and 2 more`. */
function tasksText(session: ActingSession, nameOf: NameOf, maxTasks: number): string {
  const tasks = mostUrgentFirst(countedWaits(session)).map((wait) => taskOf(wait, nameOf));
  const more = countToSettle(session) - maxTasks;
  return `${tasks.slice(0, maxTasks).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const dutyText = ({ duties = [] }: ActingSession, role: string, nameOf: NameOf): string =>
  namedText(duties.find((duty) => duty.role === role)?.text ?? '', nameOf);

/** A step with the name of its role: `Shop agent (agent_a): answer f_3`. */
export const stepText = ({ role, text }: NextStep<string>, nameOf: NameOf): string =>
  text === '' ? nameOf(role) : `${nameOf(role)}: ${text}`;

/** Maximum number of characters of a step in `nextSentences`. */
const MAX_STEP_CHARS = 160;

/**
 * The next steps as sentences: `Next: you: Approve r_2. Shop agent (agent_a): answer f_3.` Names one task of the owner.
 * For an absent agent, says why it does not take its step and what the owner can do: `Shop agent (agent_a) has no access,
 * because its token was revoked: invite it again.`
 */
export function nextSentences(session: ActingSession, nameOf: NameOf): string {
  const steps = nextSteps(session, nameOf, 1).map(
    ({ role, text }) =>
      absenceText(session, role, nameOf) ??
      stepText({ role, text: shortened(text.replace(/\s+/g, ' ').trim(), MAX_STEP_CHARS) }, nameOf),
  );
  return `Next: ${(steps.length > 0 ? steps : [nobodyText(session.status)]).map(asSentence).join(' ')}`;
}

/** The owner's task about the absence of an agent that has a step to take. Undefined if the agent is not absent. */
function absenceText({ waits }: Pick<ActingSession, 'waits'>, role: string, nameOf: NameOf): string | undefined {
  const absence = waits.find(({ kind, record, blocking }) => kind === 'AGENT_ABSENT' && blocking && record.id === role);
  return absence?.text && namedText(absence.text, nameOf);
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const UNTIL: Readonly<Record<string, string>> = {
  DRAFT: ', until you start the session',
  PAUSED: ', until you resume the session',
  ENDED: ', the session has ended',
};

/** The text for a session in which no role must act: `nobody, until you resume the session`. */
export const nobodyText = (status: string): string => `nobody${UNTIL[status] ?? ''}`;
