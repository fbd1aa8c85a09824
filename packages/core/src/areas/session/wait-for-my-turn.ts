import { z } from 'zod';
import { DEFAULT_WAIT_SECONDS } from '../../kernel/limits.ts';
import { WaitSeconds } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { hasNews, hasWork } from './news.ts';
import { StateView } from './schemas.ts';
import { viewState } from './views.ts';

/** Spec 4.2. MCP only. `wait` is required in the published schema; missing all the same, it is 20. */
export const waitForMyTurn = defineOperation({
  name: 'wait_for_my_turn',
  summary:
    'Wait up to 25 seconds for your turn, a question, a directive, an action or a new message; then call it again.',
  access: { builder: 'read_session_state' },
  input: z.strictObject({ wait: WaitSeconds.default(DEFAULT_WAIT_SECONDS) }).meta({ required: ['wait'] }),
  output: StateView,
  errors: [],

  waits: {
    seconds: ({ wait }) => wait,
    isReady: (state, _input, { role }, opened) =>
      hasWork(state, role) || hasNews(state, role, opened.transcript.latest[role].seen),
  },

  repeats: () => '',

  reply: (state, _input, { caller, timedOut }) => viewState(state, caller.role, timedOut),
});
