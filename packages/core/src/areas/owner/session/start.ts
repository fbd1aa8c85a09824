import { NoInput } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { requireStatus } from '../rules.ts';
import { Standing, viewStanding } from '../schemas.ts';

/** Domain 2. Changes the status from DRAFT to ACTIVE. */
export const start = defineOperation({
  name: 'start',
  summary: 'Start a session, so that the agents can take turns.',
  access: { owner: true },
  input: NoInput,
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  decide(state) {
    requireStatus(state, 'start', 'DRAFT');
    return [{ kind: 'session.started', data: {} }];
  },

  reply: viewStanding,
});
