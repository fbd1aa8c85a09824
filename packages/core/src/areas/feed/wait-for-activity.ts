import { z } from 'zod';
import { boundedLists, LEFT_OUT } from '../../kernel/bounded-lists.ts';
import { DEFAULT_WAIT_SECONDS } from '../../kernel/limits.ts';
import { doableActionsOf, openActionsOf } from '../actions/rules.ts';
import { ActionView, viewAction } from '../actions/schemas.ts';
import { WaitSeconds } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { hasUnacked } from './rules.ts';
import { FeedFields, viewFeed } from './schemas.ts';
import { DEFAULT_EVENTS, eventsAfter } from './state.ts';

/** What the actions may cost beside a page of events. */
const ACTIONS_COST = 200_000;

/** Spec 4.3. MCP only. */
export const waitForActivity = defineOperation({
  name: 'wait_for_activity',
  summary:
    'Wait up to 25 seconds for events after your acknowledged cursor or a pending action; take them in, ack_events, then call it again.',
  access: { moderator: true },
  input: z.strictObject({
    wait_seconds: WaitSeconds.optional().describe(
      `Seconds to wait, at most 25; ${DEFAULT_WAIT_SECONDS} when left out.`,
    ),
  }),
  output: z.strictObject({ ...FeedFields, pending_actions: z.array(ActionView), ...LEFT_OUT }),
  errors: [],

  waits: {
    seconds: ({ wait_seconds = DEFAULT_WAIT_SECONDS }) => wait_seconds,
    isReady: (state, _input, _caller, opened) =>
      hasUnacked(state, opened) || doableActionsOf(state, 'moderator').length > 0,
  },

  reads: ({ feed }) => eventsAfter(feed, feed.ackedCursor, DEFAULT_EVENTS),

  reply(state, _input, { loaded, timedOut }) {
    const lists = boundedLists(ACTIONS_COST);
    const actions = lists.list({
      records: openActionsOf(state.actions, 'moderator'),
      view: viewAction,
      how: () => 'Complete the first ones, and the next stand here.',
    });
    return {
      ...viewFeed(state, state.feed.ackedCursor, loaded),
      timed_out: timedOut,
      pending_actions: actions(),
      ...lists.leftOut(),
    };
  },
});
