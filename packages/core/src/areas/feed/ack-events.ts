import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { refuseBeyond } from '../session/cursors.ts';
import { EventCursor } from './schemas.ts';
import { headOf } from './state.ts';

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
