import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { viewMessage } from '../../kernel/log/event-catalog.ts';
import { boundedLists, costOf, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { openActionsOf } from '../actions/rules.ts';
import { ActionView, viewAction } from '../actions/schemas.ts';
import { sessionCatalog } from '../catalog.ts';
import { ActorName, At, MessageCursor, RecordRef } from '../fields.ts';
import { areAnswersShown } from '../readiness/rules.ts';
import { STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';
import { isCountedInBrief, omittedInFeed } from './omitted.ts';
import { headOf, isInFeed } from './state.ts';
import { subjectOf } from './subject.ts';

export const EventCursor = MessageCursor.describe('An event id; 0 is before the first.').register(documented, {
  id: 'EventCursor',
});

/** An event in the moderator's feed (domain 10). */
const EventView = z.strictObject({
  id: EventCursor,
  at: At,
  kind: z.string().describe('<noun>.<past participle>, such as turn.posted.'),
  actor: ActorName,
  subject: RecordRef.describe('The record that the event concerns.'),
  data: z.record(z.string(), z.unknown()).describe('Data of the event, without the members that other tools show.'),
});
documented.add(EventView, { id: 'Event' });

export const Brief = z.boolean().optional().describe('Count events that have no text for you; do not list them.');

export const FeedFields = {
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
export function viewFeed(
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

export function viewWait(
  { profile, actions }: SessionState,
  timedOut: boolean,
): z.output<z.ZodObject<typeof WaitFields>> {
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
