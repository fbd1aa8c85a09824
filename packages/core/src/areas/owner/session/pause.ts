import { defineOperation } from '../../operation.ts';
import { requireStatus } from '../rules.ts';
import { ReasonInput, Standing, viewStanding } from '../schemas.ts';

/**
 * Domain 2. Changes the status from ACTIVE to PAUSED. During the pause, agents can still read, acknowledge and answer.
 */
export const pause = defineOperation({
  name: 'pause',
  summary: 'Pause a session; agents can still read, acknowledge and answer.',
  access: { owner: true },
  worksAtLimit: true,
  input: ReasonInput,
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said: () => 'The session is paused. Until you resume it, builders can only read, acknowledge and answer.',

  decide(state, { reason }) {
    requireStatus(state, 'pause', 'ACTIVE');
    return [{ kind: 'session.paused', data: { reason } }];
  },

  reply: viewStanding,
});
