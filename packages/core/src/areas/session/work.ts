import { z } from 'zod';
import { latestTime } from '../../kernel/clock.ts';
import { MESSAGE_PAGE_CHARS, MESSAGES_PER_PAGE } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import {
  type EventCatalog,
  isMessage,
  isSeenBy,
  latestSeen,
  type Message,
  messagesAfter,
  viewMessage,
} from '../../kernel/log/event-catalog.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { AGENTS, type Agent, type Builder, isBuilder, type Presence, ROLES, type Role } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import { currentTokenOf } from '../access/state.ts';
import { doableActionsOf, isOptional, openActionsOf } from '../actions/rules.ts';
import type { Action } from '../actions/state.ts';
import { sessionCatalog } from '../catalog.ts';
import { ActorName, At, MessageCursor } from '../fields.ts';
import { openOf } from '../interventions/rules.ts';
import { headOf, latestInFeed } from '../interventions/state.ts';
import { areAnswersShown } from '../manifest/readiness.ts';
import { nextAgent, openQuestionsFrom } from '../planning/rules.ts';
import { currentModeratorReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { isWaiting } from '../task.ts';
import { isCaveat, nextTask } from '../tasks/due.ts';
import { ownerWaits } from './owner-waits/owner-waits.ts';
import type { OwnerWait } from './owner-waits/waits.ts';
import { pausedMs } from './state.ts';

/**
 * Number of the latest item that a role can have read: for the moderator the latest event in its feed, for any other
 * role the latest message that it sees. If the moderator requests changes to the latest revision, the last event that
 * stopped, restored, allowed or disallowed the moderator counts for a builder too: it changes whether this request
 * blocks.
 */
const lastShown = (state: SessionState, role: Role): number =>
  role === 'moderator'
    ? headOf(state.feed)
    : Math.max(state.transcript.latest[role].seen, isBuilder(role) ? objectionSince(state) : 0);

/**
 * {@link lastShown} without the open questions at the end that the role itself asked: its own question changes nothing
 * for the role before somebody answers it.
 */
function stepSince(state: SessionState, role: Role): number {
  const asked = isBuilder(role) ? openQuestionsFrom(state.questions, role) : openOf(state.interventions, 'moderator');
  const own = new Set(asked.map(({ seq }) => seq));
  const last = lastShown(state, role);
  if (!own.has(last)) return last;
  if (role === 'moderator') return latestInFeed(state.feed, (seq) => !own.has(seq));
  return latestSeen(state.transcript, role, (seq) => !own.has(seq));
}

const objectionSince = (state: SessionState): number =>
  currentModeratorReview(state)?.verdict === 'REQUEST_CHANGES' ? state.access.moderatorHeardSince : 0;

/**
 * The cursor in a state view: the view shows everything up to this number. For a builder, the cursor can be the
 * position of an action that opened after the last message.
 */
export const cursorOf = (state: SessionState, role: Role): number =>
  isBuilder(role) ? Math.max(lastShown(state, role), state.actions.latestFor[role] ?? 0) : lastShown(state, role);

/**
 * Refuses a cursor that is higher than every id that the role can have read, because the role would then miss future
 * items.
 */
export function refuseBeyond(path: string, cursor: number | undefined, head: number): void {
  if (cursor !== undefined && cursor > head)
    refuseInput([{ path, message: `Must be at most ${head}, the latest id you can see.` }]);
}

export const checkAfter = (state: SessionState, role: Role, after: number | undefined): void =>
  refuseBeyond('after', after, cursorOf(state, role));

/** Work of a role: an action, unacknowledged events, or the call that its instruction names. */
interface Work {
  readonly kind: 'ACTION' | 'EVENTS' | 'STEP';
  /** Id of a message or event. Work does not end the wait of a caller whose cursor is at least this id. */
  readonly since: number;
}

/**
 * All work of a role, for calls that wait for the state or the feed.
 * STEP is the call that the instruction names. Its `since` is the id of the last message that can have changed the
 * instruction. A REPORT_GATES action is not listed as ACTION, only as STEP if the
 * instruction names its call.
 */
function* workOf(state: SessionState, role: Role): Generator<Work> {
  const { feed } = state;
  for (const { since, type } of doableActionsOf(state, role))
    if (type !== 'REPORT_GATES') yield { kind: 'ACTION', since };
  if (role === 'moderator' && feed.fromOthers > feed.ackedCursor) yield { kind: 'EVENTS', since: feed.fromOthers };
  if (role !== 'owner' && !isWaiting(nextTask(state, role))) yield { kind: 'STEP', since: stepSince(state, role) };
}

export interface Waiting {
  readonly role: Role;
  /**
   * The caller's cursor. If it is absent, the wait ends for any work, and for a message that others wrote after
   * `stateAtArrival`.
   */
  readonly after: number | undefined;
  readonly stateAtArrival: SessionState;
  /** The kinds of work that the answer can show. Other kinds do not end the wait. If absent, all kinds end it. */
  readonly shown?: readonly Work['kind'][];
}

/**
 * Spec 4.2 and 4.3. A wait ends if the session has ended, or if there is work or a message of others after the cursor.
 * For the moderator, every event that it did not cause counts as such a message.
 */
export function endsWait(state: SessionState, { role, after, stateAtArrival, shown }: Waiting): boolean {
  if (state.profile.status === 'ENDED') return true;
  if (latestOfOthers(state, role) > (after ?? cursorOf(stateAtArrival, role))) return true;
  for (const { kind, since } of workOf(state, role))
    if ((after === undefined || since > after) && (shown?.includes(kind) ?? true)) return true;
  return false;
}

/** The call that reads what others wrote after the cursor of a builder, which no other member of its answer has whole. */
export const unreadCall = (state: SessionState, role: Role, after: number): { unread?: string } =>
  isBuilder(role) && latestOfOthers(state, role) > after
    ? { unread: `read_messages (GET messages?after=${after})` }
    : {};

/**
 * Id of the latest message that the role did not write. For the moderator, number of the latest event that it did not
 * cause.
 */
const latestOfOthers = ({ feed, transcript }: SessionState, role: Role): number =>
  role === 'moderator' ? feed.fromOthers : transcript.latest[role].fromOthers;

export const MessagePage = namedObject('MessagePage', {
  messages: z.array(
    z.strictObject({
      id: MessageCursor,
      at: At,
      from: ActorName,
      kind: z.string(),
      body: z.record(z.string(), z.unknown()),
    }),
  ),
  next_cursor: MessageCursor.describe('The value of after for the next page; unchanged when there was nothing new.'),
  more: z.boolean(),
});

export const pageSeqs = ({ transcript }: SessionState, role: Role, after: number): number[] =>
  messagesAfter(transcript, role, after, MESSAGES_PER_PAGE);

/** Shows a page of at most 50 messages and 60,000 characters, but at least one message if any follows `after`. */
export function viewPage(
  state: SessionState,
  role: Role,
  after: number,
  loaded: readonly LoggedEvent[],
): z.output<typeof MessagePage> {
  const shown = loaded.filter((event) => isShownTo(event, role));
  const messages = fitting(
    shown.map((event) => viewMessage(sessionCatalog, event, areAnswersShown(state, role, event.seq))),
  );
  const next_cursor = messages.at(-1)?.id ?? after;
  return {
    messages: messages.map((message) => ({ ...message, body: { ...message.body } })),
    next_cursor,
    more: state.transcript.latest[role].seen > next_cursor,
  };
}

/**
 * Whether a loaded event is a message that the role may see. After a failover, another event can have the number of a
 * selected message.
 */
function isShownTo({ kind, data }: LoggedEvent, role: Role): boolean {
  const kinds: EventCatalog = sessionCatalog;
  const known = kinds[kind];
  return known !== undefined && isMessage(known, data) && isSeenBy(known, data, role);
}

function fitting(messages: readonly Message[]): readonly Message[] {
  let chars = 0;
  const overflow = messages.findIndex((message, index) => {
    chars += JSON.stringify(message).length;
    return index > 0 && chars > MESSAGE_PAGE_CHARS;
  });
  return overflow === -1 ? messages : messages.slice(0, overflow);
}

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
  const token = currentTokenOf(state.access, role);
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
