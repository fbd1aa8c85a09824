import { z } from 'zod';
import { WaitSeconds } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkAfter } from '../session/cursors.ts';
import { endsFeedWait } from './rules.ts';
import { Brief, EventCursor, FeedFields, viewFeed, viewWait, WaitFields } from './schemas.ts';
import { DEFAULT_EVENTS, eventsAfter, MAX_EVENTS } from './state.ts';

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
