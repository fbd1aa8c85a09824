import { z } from 'zod';
import { ModeratorResult, viewModerator } from '../../access/schemas.ts';
import { text } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { refuseToDrop } from '../rules.ts';

/**
 * Spec 5.11. From now on, requests of the moderator are refused with MODERATOR_STOPPED. A waiting request is refused at
 * once.
 */
export const stopModerator = defineOperation({
  name: 'stopModerator',
  summary:
    'Stop the moderator: it can neither read nor write until you restore it. Its holds stay until you release them.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({
    reason: text(2_000).optional().describe('For your own record. Refused if the moderator is stopped already.'),
  }),
  output: ModeratorResult,
  errors: ['INVALID_TRANSITION'],

  said: () => 'The moderator is stopped: it can neither read nor write. Its holds stay until you release them.',

  decide({ access }, { reason }) {
    if (!access.isModeratorStopped) return [{ kind: 'moderator.stopped', data: { reason } }];
    if (reason !== undefined)
      refuseToDrop(
        'reason',
        'The moderator is stopped',
        'Leave the reason out: the call then answers that the moderator is stopped. The log keeps the reason of the stop that stands.',
      );
    return [];
  },

  reply: (state) => ({ moderator: viewModerator(state) }),
});
