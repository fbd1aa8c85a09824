import { z } from 'zod';
import { isoTime } from '../../kernel/clock.ts';
import { DEFAULT_WAIT_SECONDS } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { viewMessage } from '../../kernel/log/event-catalog.ts';
import { boundedLists, costOf, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { PERMISSIONS } from '../../kernel/roles.ts';
import { moderatorPermissions } from '../access/rules.ts';
import { openActionsOf } from '../actions/rules.ts';
import { ActionView, viewAction } from '../actions/state.ts';
import { type SessionEvent, sessionCatalog } from '../catalog.ts';
import { contentOf } from '../content.ts';
import { ActorName, AfterSeen, At, MessageCursor, NoInput, RecordRef, WaitSeconds } from '../fields.ts';
import { activeHolds, openFindings, viewFinding, viewHold } from '../findings/rules.ts';
import { FindingView, HoldView } from '../findings/state.ts';
import { pageCall } from '../listing.ts';
import { areAnswersShown } from '../manifest/readiness.ts';
import { defineOperation } from '../operation.ts';
import { PHASES } from '../session/events.ts';
import { STATUSES } from '../session/state.ts';
import { checkAfter, endsWait, refuseBeyond, type Waiting } from '../session/work.ts';
import type { SessionState } from '../state.ts';
import { openOf, subjectMember, subjectOf, viewIntervention } from './rules.ts';
import { DEFAULT_EVENTS, eventsAfter, headOf, InterventionView, isInFeed, MAX_EVENTS } from './state.ts';

/**
 * Members of an event's data that the feed leaves out, by kind of event. The comment above each group names the tool
 * with which the moderator reads these members.
 */
const OMITTED: Readonly<Partial<Record<SessionEvent['kind'], readonly string[]>>> = {
  // `read_messages` shows these members.
  'evidence.posted': ['evidence'],
  'preflight.submitted': ['mappings'],
  'contract.approved': ['manifest', 'questions'],
  'receipt.confirmed': ['manifest_id', 'sha256'],
  'readiness.submitted': ['revision_id', 'answers'],
  'readiness.checked': ['report'],
  'revision.created': ['bytes', 'validator_version'],
  // `verify_board` with `scenario_id` shows these members.
  'evidence.submitted': ['kind', 'claim', 'summary', 'assertions', 'request_id', 'commit', 'run'],
  'evidence.reported': ['by', 'kind', 'claim', 'summary', 'assertions', 'request_id', 'commit', 'run', 'token'],
  'attempt.started': ['commits'],
  'handshake.declared': [
    ...['service', 'version', 'branch', 'address', 'capabilities', 'interfaces', 'clock', 'skew_ms', 'previous_commit'],
    ...['dependencies_healthy', 'fixture_version'],
  ],
  'defect.opened': ['commits'],
  'defect.reopened': ['commits'],
  'deployment.authorized': ['commits'],
  'activation.authorized': ['commits'],
  // `pending_actions` of a waiting call and of `get_moderator_status` shows these members.
  'action.opened': ['text', 'payload', 'tool', 'obligation', 'due_to'],
  'action.fulfilled': ['due_to'],
  // `get_moderator_findings` with `finding_id` shows these members.
  'finding.raised': ['evidence'],
};

/** Members that the feed leaves out of the moderator's own events, because the moderator sent them. */
const OWN_TEXTS = [
  'text',
  'reason',
  'summary',
  'dimensions',
  'evidence',
  'moderated',
  'targets',
  'resolution_criteria',
];

/** The content of each kind of event. The feed leaves it out of events inside a turn, because the event of the turn has it. */
const CONTENT_OF: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(sessionCatalog).map(([kind, { data }]) => [kind, Object.keys(contentOf(data))]),
);

const omitted: Readonly<Record<string, readonly string[]>> = OMITTED;

/**
 * Kinds of events that a call with `brief` counts instead of showing, because they contain no text for the moderator.
 * The comment above each group names the tool that shows what these events changed.
 */
const COUNTED: ReadonlySet<string> = new Set([
  // `list_decisions` shows what this event changed.
  'decision.accepted',
  // `read_messages` shows what these events changed.
  'evidence.posted',
  'preflight.submitted',
  'receipt.confirmed',
  'intervention.acknowledged',
  // `verify_board` shows what these events changed.
  'attempt.started',
  'evidence.submitted',
  'evidence.reported',
  // `pending_actions` shows what these events changed.
  'action.acknowledged',
  'action.completed',
  'action.fulfilled',
]);

/**
 * Whether a call with `brief` counts this event instead of showing it. The moderator's own events are counted too, and
 * the events inside a turn, whose content the event of the turn contains.
 */
const isCountedInBrief = ({ kind, actor, data }: LoggedEvent): boolean =>
  COUNTED.has(kind) || actor === 'moderator' || Object(data).in_turn === true;

/**
 * Names of the members of an event's data that the feed leaves out. They include the member with the id of the record
 * that the event is about, because the event's `subject` in the feed contains that id.
 */
const omittedInFeed = (event: LoggedEvent): ReadonlySet<string> =>
  new Set([
    ...(omitted[event.kind] ?? []),
    ...(event.actor === 'moderator' ? OWN_TEXTS : []),
    ...(Object(event.data).in_turn === true ? (CONTENT_OF.get(event.kind) ?? []) : []),
    subjectMember(event) ?? '',
  ]);

const EventCursor = MessageCursor.describe('An event id; 0 is before the first.');

/** An event in the moderator's feed (domain 10). */
const EventView = namedObject('Event', {
  id: EventCursor,
  at: At,
  kind: z.string().describe('<noun>.<past participle>, such as turn.posted.'),
  actor: ActorName,
  subject: RecordRef.describe('The record that the event concerns.'),
  data: z.record(z.string(), z.unknown()).describe('Data of the event, without the members that other tools show.'),
});

const Brief = z.boolean().optional().describe('Count events that have no text for you; do not list them.');

const FeedFields = {
  events: z.array(EventView),
  counted: z.record(z.string(), z.int()).optional().describe('With brief: number of events not listed, by kind.'),
  next_cursor: EventCursor.describe(
    'The value of after for the next page, and the cursor for ack_events once you have processed these events.',
  ),
  acked_cursor: EventCursor.describe('Your acknowledged cursor.'),
  head: EventCursor.describe('Id of the latest event that you can read.'),
};

type FeedPage = z.output<z.ZodObject<typeof FeedFields>>;

/** Members that the answer of a wait adds to the page of the feed. */
export const WaitFields = {
  status: z.enum(STATUSES).describe('Status of the session; no event follows ENDED.'),
  timed_out: z.boolean().describe('True when a wait ended without news.'),
  pending_actions: z.array(ActionView),
  ...LEFT_OUT,
};

/** Maximum size of all actions in an answer, in bytes as `costOf` counts them. */
const ACTIONS_COST = 200_000;

/** Maximum size of a page, in bytes as `costOf` counts them. About 300,000 characters, which clients can process. */
const PAGE_COST = 600_000;

/**
 * Shows a page of the feed.
 * @param loaded the events that were read for the page. Each event is checked again, and left out if the moderator may
 * not see it: after a failover, another event can have the number of a selected event.
 */
function viewFeed(
  state: SessionState,
  { after, brief = false }: { readonly after: number; readonly brief?: boolean | undefined },
  loaded: readonly LoggedEvent[],
): FeedPage {
  const { feed } = state;
  const page = fitting(
    loaded
      .filter((event) => isInFeed(event, sessionCatalog))
      .map((event) => ({ view: viewEvent(state, event), isCounted: brief && isCountedInBrief(event) })),
  );
  const counted = page.filter(({ isCounted }) => isCounted).map(({ view: { kind } }) => kind);
  return {
    events: page.filter(({ isCounted }) => !isCounted).map(({ view }) => view),
    ...(counted.length > 0 ? { counted: countsOf(counted) } : {}),
    next_cursor: page.at(-1)?.view.id ?? after,
    acked_cursor: feed.ackedCursor,
    head: headOf(feed),
  };
}

function countsOf(kinds: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function viewWait({ profile, actions }: SessionState, timedOut: boolean): z.output<z.ZodObject<typeof WaitFields>> {
  const lists = boundedLists(ACTIONS_COST);
  const pending = lists.list({
    records: openActionsOf(actions, 'moderator'),
    view: viewAction,
    how: () => 'Complete the listed actions first; the other actions then appear here.',
  });
  return { status: profile.status, timed_out: timedOut, pending_actions: pending(), ...lists.leftOut() };
}

function viewEvent(state: SessionState, event: LoggedEvent): z.output<typeof EventView> {
  const isDisclosed = areAnswersShown(state, 'moderator', event.seq);
  const { id, at, from, kind, body } = viewMessage(sessionCatalog, event, isDisclosed);
  const omitted = omittedInFeed(event);
  const data = Object.fromEntries(Object.entries(body).filter(([name]) => !omitted.has(name)));
  return { id, at, kind, actor: from, subject: subjectOf(event, state.sessionId), data };
}

interface PagedEvent {
  readonly view: z.output<typeof EventView>;
  readonly isCounted: boolean;
}

/** The first events that fit into one page, but at least one event. */
function fitting(events: PagedEvent[]): PagedEvent[] {
  let cost = 0;
  const overflow = events.findIndex(({ view, isCounted }, index) => {
    cost += isCounted ? 0 : costOf(view);
    return index > 0 && cost > PAGE_COST;
  });
  return overflow === -1 ? events : events.slice(0, overflow);
}

/** Spec 6. Moves the acknowledged cursor forward. A lower cursor changes nothing. */
export const ackEvents = defineOperation({
  name: 'ack_events',
  summary: 'Acknowledge the events you have processed; reading then starts after them.',
  rest: 'POST events/ack',
  access: { moderator: true },
  worksWhilePaused: true,
  worksAfterEnd: true,
  input: z.strictObject({ cursor: EventCursor.describe('Id of the last processed event.') }),
  output: z.strictObject({ acked_cursor: EventCursor, head: EventCursor }),
  errors: ['INVALID_INPUT'],

  decide({ feed }, { cursor }) {
    refuseBeyond('cursor', cursor, headOf(feed));
    return cursor > feed.ackedCursor ? [{ kind: 'events.acknowledged', data: { cursor } }] : [];
  },

  reply: ({ feed }) => ({ acked_cursor: feed.ackedCursor, head: headOf(feed) }),
});

export const getModeratorStatus = defineOperation({
  name: 'get_moderator_status',
  summary: 'Show what you may do, and your open actions, holds, findings and questions.',
  rest: 'GET moderator/status',
  access: { moderator: true },
  input: NoInput,
  output: z.strictObject({
    status: z.enum(STATUSES),
    phase: z.enum(PHASES),
    permissions: z.array(z.enum(PERMISSIONS)),
    stopped: z.boolean(),
    entitled: z.boolean(),
    acked_cursor: EventCursor,
    head: EventCursor,
    pending_actions: z.array(ActionView),
    active_holds: z.array(HoldView),
    open_findings: z.array(FindingView).describe('Your findings that are not resolved.'),
    open_questions: z.array(InterventionView).describe('Your questions that at least one builder has not answered.'),
    expires_at: At.describe('When your token expires.'),
    ...LEFT_OUT,
  }),

  reply(state, _input, { caller, now }) {
    const { profile, access, feed } = state;
    const { lists, leftOut } = openLists(state);
    return {
      status: profile.status,
      phase: profile.phase,
      permissions: [...moderatorPermissions(state)],
      stopped: access.isModeratorStopped,
      entitled: access.isModeratorEntitled,
      acked_cursor: feed.ackedCursor,
      head: headOf(feed),
      pending_actions: lists.actions(),
      active_holds: lists.holds(),
      open_findings: lists.findings(),
      open_questions: lists.questions(),
      expires_at: caller.role === 'owner' ? now : isoTime(caller.expiresAt),
      ...leftOut,
    };
  },
});

/** Maximum size of all lists together, in bytes as `costOf` counts them. */
const STATUS_COST = 600_000;

function openLists(state: SessionState) {
  const { actions, holds, findings, interventions } = state;
  const lists = boundedLists(STATUS_COST);
  const shown = {
    actions: lists.list({
      records: openActionsOf(actions, 'moderator'),
      view: viewAction,
      how: () => 'Complete the listed actions first; the other actions then appear here.',
    }),
    holds: lists.list({
      records: activeHolds(holds),
      view: viewHold,
      how: () => pageCall('list_blockers', 0),
    }),
    findings: lists.list({
      records: openFindings(findings).filter(({ raised_by }) => raised_by === 'moderator'),
      view: (finding) => viewFinding(state, finding),
      how: () => pageCall('get_moderator_findings', 0),
    }),
    questions: lists.list({
      records: openOf(interventions, 'moderator'),
      view: (open) => viewIntervention(open, 'moderator'),
      how: () => pageCall('get_moderator_questions', 0),
    }),
  };
  return { lists: shown, leftOut: lists.leftOut() };
}

/**
 * Spec 4.3. Only events and pending actions end a wait for the feed. A new instruction does not, because the answer
 * contains no instruction.
 */
const endsFeedWait = (state: SessionState, waiting: Waiting): boolean =>
  endsWait(state, { ...waiting, shown: ['EVENTS', 'ACTION'] });

/**
 * Spec 6. Without `after`, the page begins after the acknowledged cursor, so a moderator that restarts reads again all
 * events that it has not acknowledged.
 */
export const getSessionEvents = defineOperation({
  name: 'get_session_events',
  summary: 'Read the events after a cursor, in order.',
  rest: 'GET events',
  access: { moderator: true },
  input: z.strictObject({
    after: EventCursor.optional().describe('Default: your acknowledged cursor.'),
    limit: z.int().min(1).max(MAX_EVENTS).optional().describe(`Default: ${DEFAULT_EVENTS}.`),
    wait: WaitSeconds.optional(),
    brief: Brief,
  }),
  output: z.strictObject({ ...FeedFields, ...z.strictObject(WaitFields).partial().shape }),
  errors: ['INVALID_INPUT'],

  check: (state, { after }, { role }) => checkAfter(state, role, after),

  waits: {
    seconds: ({ wait }) => wait,
    isReady: (state, { after }, { role }, stateAtArrival) => endsFeedWait(state, { role, after, stateAtArrival }),
  },

  reads: ({ feed }, { after = feed.ackedCursor, limit = DEFAULT_EVENTS }) => eventsAfter(feed, after, limit),

  reply: (state, { after = state.feed.ackedCursor, wait, brief }, { loaded, timedOut }) => ({
    ...viewFeed(state, { after, brief }, loaded),
    ...(wait ? viewWait(state, timedOut) : {}),
  }),
});

/** Spec 4.3. The moderator waits for events and for actions. This operation has no REST route. */
export const waitForActivity = defineOperation({
  name: 'wait_for_activity',
  summary: 'Wait for events or a pending action. Process them, call ack_events, and wait again.',
  access: { moderator: true },
  input: z.strictObject({
    wait_seconds: WaitSeconds.optional().describe(`Seconds to wait, at most 25; ${DEFAULT_WAIT_SECONDS} by default.`),
    after: AfterSeen,
    brief: Brief,
  }),
  output: z.strictObject({ ...FeedFields, ...WaitFields }),
  errors: ['INVALID_INPUT'],

  check: (state, { after }, { role }) => checkAfter(state, role, after),

  waits: {
    seconds: ({ wait_seconds = DEFAULT_WAIT_SECONDS }) => wait_seconds,
    isReady: (state, { after }, { role }, stateAtArrival) => endsFeedWait(state, { role, after, stateAtArrival }),
  },

  reads: ({ feed }, { after = feed.ackedCursor }) => eventsAfter(feed, after, DEFAULT_EVENTS),

  reply: (state, { after = state.feed.ackedCursor, brief }, { loaded, timedOut }) => ({
    ...viewFeed(state, { after, brief }, loaded),
    ...viewWait(state, timedOut),
  }),
});
