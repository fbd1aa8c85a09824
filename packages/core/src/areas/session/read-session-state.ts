import { z } from 'zod';
import { MessageCursor, WaitSeconds } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { hasNews, hasWork } from './news.ts';
import { StateView } from './schemas.ts';
import { viewState } from './views.ts';

/** Spec 4.2. Without `after`, what was there when the call arrived is no news. */
export const readSessionState = defineOperation({
  name: 'read_session_state',
  summary: 'Show where the session stands and what you do next; with wait, long-poll for work or a new message.',
  rest: 'GET state',
  access: { builder: 'read_session_state', moderator: true },
  input: z.strictObject({
    wait: WaitSeconds.optional(),
    after: MessageCursor.optional().describe(
      'Message cursor: a message of somebody else with a higher id ends the wait.',
    ),
  }),
  output: StateView,
  errors: [],

  waits: {
    seconds: ({ wait }) => wait,
    isReady: (state, { after }, { role }, opened) =>
      hasWork(state, role) || hasNews(state, role, after ?? opened.transcript.latest[role].seen),
  },

  repeats: ({ wait }) => (wait ? 'waited' : ''),

  reply: (state, { wait }, { caller, timedOut }) => viewState(state, caller.role, wait ? timedOut : undefined),
});
