import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { refuseBeyond } from '../session/cursors.ts';
import { EventCursor } from './schemas.ts';
import { headOf } from './state.ts';

/** Spec 6. Never goes backward: a cursor below the acknowledged one changes nothing. A reader's cursor, so it moves after the end too. */
export const ackEvents = defineOperation({
  name: 'ack_events',
  summary: 'Acknowledge the events up to a cursor, once you have taken them in; reading then starts after it.',
  rest: 'POST events/ack',
  access: { moderator: true },
  worksWhilePaused: true,
  worksAfterEnd: true,
  input: z.strictObject({ cursor: EventCursor.describe('The id of the last event you have taken in.') }),
  output: z.strictObject({ acked_cursor: EventCursor, head: EventCursor }),
  errors: ['INVALID_INPUT'],

  decide({ feed }, { cursor }) {
    refuseBeyond('cursor', cursor, headOf(feed));
    return cursor > feed.ackedCursor ? [{ kind: 'events.acknowledged', data: { cursor } }] : [];
  },

  reply: ({ feed }) => ({ acked_cursor: feed.ackedCursor, head: headOf(feed) }),
});
