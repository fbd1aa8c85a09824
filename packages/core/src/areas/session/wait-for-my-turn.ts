import { z } from 'zod';
import { DEFAULT_WAIT_SECONDS } from '../../kernel/limits.ts';
import { publishedSchema } from '../../kernel/operation/json-schema.ts';
import { AfterSeen, WaitSeconds } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkAfter } from './cursors.ts';
import { StateView } from './schemas.ts';
import { viewState } from './state-view.ts';
import { endsWait } from './work.ts';

/**
 * The seconds to wait. The published schema requires a number. The service also accepts null or no value, and then uses
 * the default.
 */
const Wait = z.preprocess((sent) => sent ?? DEFAULT_WAIT_SECONDS, WaitSeconds).meta(publishedSchema(WaitSeconds));

/** Spec 4.2. A builder waits for work or for a message. This operation has no REST route. */
export const waitForMyTurn = defineOperation({
  name: 'wait_for_my_turn',
  summary: 'Wait up to 25 s for work, or a message after the cursor in after. Then call again.',
  access: { builder: 'read_session_state' },
  input: z.strictObject({ wait: Wait, after: AfterSeen }),
  output: StateView,
  errors: ['INVALID_INPUT'],

  check: (state, { after }, { role }) => checkAfter(state, role, after),

  waits: {
    seconds: ({ wait }) => wait,
    isReady: (state, { after }, { role }, stateAtArrival) => endsWait(state, { role, after, stateAtArrival }),
  },

  cacheKey: () => '',

  reply: (state, _input, { caller, timedOut }) => viewState(state, caller.role, timedOut),
});
