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
import { omittedInFeed } from './omitted.ts';
import { headOf, isInFeed } from './state.ts';
import { subjectOf } from './subject.ts';

export const EventCursor = MessageCursor.describe('An event id; 0 is before the first.').register(documented, {
  id: 'EventCursor',
});

/** One event in the moderator's feed (domain specification, part 10). */
const EventView = z.strictObject({
  id: EventCursor,
  at: At,
  kind: z.string().describe('<noun>.<past participle>, such as turn.posted.'),
  actor: ActorName,
  subject: RecordRef.describe('The record that the event concerns.'),
  data: z.record(z.string(), z.unknown()).describe('Without what other reads have in full.'),
});
documented.add(EventView, { id: 'Event' });

/** One page of the feed. */
export const FeedFields = {
  events: z.array(EventView),
  next_cursor: EventCursor.describe(
    'Send it as after to read on, and to ack_events once you have processed these events.',
  ),
  acked_cursor: EventCursor.describe('Your acknowledged cursor.'),
  head: EventCursor.describe('The latest event you can see.'),
};

type FeedPage = z.output<z.ZodObject<typeof FeedFields>>;

/** Members of the answer to a wait, in addition to the page. */
export const WaitFields = {
  status: z.enum(STATUSES).describe('Of the session; after ENDED no event follows.'),
  timed_out: z.boolean().describe('True when a wait ended without news.'),
  pending_actions: z.array(ActionView),
  ...LEFT_OUT,
};

/** Maximum cost of the actions beside a page of events. */
const ACTIONS_COST = 200_000;

/** Maximum cost of a page, about 300,000 characters, so that a client can process it. */
const PAGE_COST = 600_000;

/**
 * @param loaded the events whose numbers the state selected; after a failover a number may belong to another event
 */
export function viewFeed(state: SessionState, after: number, loaded: readonly LoggedEvent[]): FeedPage {
  const { feed } = state;
  const events = fitting(
    loaded.filter((event) => isInFeed(event, sessionCatalog)).map((event) => viewEvent(state, event)),
  );
  return {
    events,
    next_cursor: events.at(-1)?.id ?? after,
    acked_cursor: feed.ackedCursor,
    head: headOf(feed),
  };
}

export function viewWait(
  { profile, actions }: SessionState,
  timedOut: boolean,
): z.output<z.ZodObject<typeof WaitFields>> {
  const lists = boundedLists(ACTIONS_COST);
  const pending = lists.list({
    records: openActionsOf(actions, 'moderator'),
    view: viewAction,
    how: () => 'Complete the listed ones first; the others then appear here.',
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

/** As many events as fit, at least one. */
function fitting(events: z.output<typeof EventView>[]): z.output<typeof EventView>[] {
  let cost = 0;
  const overflow = events.findIndex((event, index) => {
    cost += costOf(event);
    return index > 0 && cost > PAGE_COST;
  });
  return overflow === -1 ? events : events.slice(0, overflow);
}
