import { z } from 'zod';
import { MESSAGE_PAGE_CHARS, MESSAGES_PER_PAGE } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { type EventCatalog, isMessage, isSeenBy, type Message, viewMessage } from '../../kernel/log/event-catalog.ts';
import { latestSeen, messagesAfter } from '../../kernel/log/transcript.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { doableActionsOf } from '../actions/rules.ts';
import { sessionCatalog } from '../catalog.ts';
import { headOf, latestInFeed } from '../feed/state.ts';
import { ActorName, At, MessageCursor } from '../fields.ts';
import { openOf } from '../interventions/rules.ts';
import { openQuestionsFrom } from '../questions/rules.ts';
import { areAnswersShown } from '../readiness/rules.ts';
import { currentModeratorReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { isWaiting } from '../task.ts';
import { nextTask } from '../tasks/due.ts';

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
