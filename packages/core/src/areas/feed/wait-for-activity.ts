import { z } from 'zod';
import { DEFAULT_WAIT_SECONDS } from '../../kernel/limits.ts';
import { AfterSeen, WaitSeconds } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkAfter } from '../session/cursors.ts';
import { endsFeedWait } from './rules.ts';
import { Brief, FeedFields, viewFeed, viewWait, WaitFields } from './schemas.ts';
import { DEFAULT_EVENTS, eventsAfter } from './state.ts';

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
