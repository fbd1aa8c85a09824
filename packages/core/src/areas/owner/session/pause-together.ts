import { z } from 'zod';
import { Reason } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';

const Paused = z.strictObject({
  pause_id: z
    .string()
    .nullable()
    .describe('Id of the call of pauseAll that paused this session; null if no such call paused it.'),
});

/** Pauses a session as a part of `pauseAll`. Changes nothing if the session is not ACTIVE. */
export const pauseTogether = defineOperation({
  name: 'pauseTogether',
  summary: 'Pause one session as part of pauseAll.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ reason: Reason, pause_id: z.string() }),
  output: Paused,
  errors: [],

  decide: ({ profile }, { reason, pause_id }) =>
    profile.status === 'ACTIVE' ? [{ kind: 'session.paused', data: { reason, pause_id } }] : [],

  reply: ({ profile }) => ({ pause_id: profile.pause_id }),
});

/** Resumes a session as a part of `resumeAll`. Changes nothing if the session was not paused with this `pause_id`. */
export const resumeTogether = defineOperation({
  name: 'resumeTogether',
  summary: 'Resume one session as part of resumeAll.',
  access: { owner: true },
  input: z.strictObject({ pause_id: z.string() }),
  output: z.strictObject({ resumed: z.boolean() }),
  errors: [],

  decide: ({ profile }, { pause_id }) =>
    profile.pause_id === pause_id && profile.status === 'PAUSED' ? [{ kind: 'session.resumed', data: {} }] : [],

  reply: (_state, _input, { events }) => ({ resumed: events.length > 0 }),
});
