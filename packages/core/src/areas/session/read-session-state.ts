import { z } from 'zod';
import { AfterSeen, WaitSeconds } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkAfter } from './cursors.ts';
import { StateView } from './schemas.ts';
import { viewState } from './state-view.ts';
import { endsWait } from './work.ts';

export const readSessionState = defineOperation({
  name: 'read_session_state',
  summary: 'Show the session state and your next step.',
  rest: 'GET state',
  access: { builder: 'read_session_state', moderator: true },
  input: z.strictObject({
    wait: WaitSeconds.optional(),
    after: AfterSeen,
  }),
  output: StateView,
  errors: ['INVALID_INPUT'],

  check: (state, { after }, { role }) => checkAfter(state, role, after),

  waits: {
    seconds: ({ wait }) => wait,
    isReady: (state, { after }, { role }, stateAtArrival) => endsWait(state, { role, after, stateAtArrival }),
  },

  cacheKey: ({ wait }) => (wait ? 'waited' : ''),

  reply: (state, { wait }, { caller, timedOut }) => viewState(state, caller.role, wait ? timedOut : undefined),
});
