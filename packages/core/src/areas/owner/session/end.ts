import { z } from 'zod';
import { Reason } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { END_REASONS } from '../../session/events.ts';
import { requireOpen } from '../rules.ts';
import { Standing, viewStanding } from '../schemas.ts';

/** Domain 2. An ended session cannot be started again. Agents can read it until their tokens expire. */
export const end = defineOperation({
  name: 'end',
  summary: 'End a session for good. An ended session can still be read.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ end_reason: z.enum(END_REASONS), note: Reason.optional() }),
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said: () => 'The session is ended for good.',

  decide(state, { end_reason, note }) {
    requireOpen(state, 'end');
    return [{ kind: 'session.ended', data: { end_reason, note } }];
  },

  reply: viewStanding,
});
