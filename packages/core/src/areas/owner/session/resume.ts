import { NoInput } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { requireStatus } from '../rules.ts';
import { Standing, viewStanding } from '../schemas.ts';

/** Domain 2. Changes the status from PAUSED to ACTIVE. */
export const resume = defineOperation({
  name: 'resume',
  summary: 'Resume a paused session.',
  access: { owner: true },
  input: NoInput,
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said: () => 'The session is active again.',

  decide(state) {
    requireStatus(state, 'resume', 'PAUSED');
    return [{ kind: 'session.resumed', data: {} }];
  },

  reply: viewStanding,
});
