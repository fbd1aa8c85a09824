import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { deliveriesOf } from './rules.ts';

/**
 * Stores that a notice was delivered. If several processes deliver the same notice, only the first delivery is stored.
 */
export const recordDelivery = defineOperation({
  name: 'recordDelivery',
  summary: 'Record that a notice about something that waits for the owner was delivered.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ wait_id: z.string(), number: z.int().min(1), unbroken: z.boolean() }),
  output: z.strictObject({ times_delivered: z.int() }),

  decide: (state, { wait_id, number, unbroken }) =>
    number > deliveriesOf(state, wait_id)
      ? [{ kind: 'notice.delivered', data: { wait_id, number, unbroken }, actor: 'system' }]
      : [],

  reply: (state, { wait_id }) => ({ times_delivered: deliveriesOf(state, wait_id) }),
});
