import { z } from 'zod';
import { HoldId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { activeHold, holdOf } from './rules.ts';
import { HoldChangeResult, viewHoldChange } from './schemas.ts';

export const releaseHold = defineOperation({
  name: 'release_hold',
  summary: 'Release the hold on a finding; the finding stays open.',
  rest: 'POST moderator/holds/release',
  access: { moderator: true },
  worksWhilePaused: 'moderator',
  input: z.strictObject({ hold_id: HoldId }),
  output: HoldChangeResult,
  errors: ['UNKNOWN_RECORD', 'HOLD_CLOSED'],

  decide({ holds }, { hold_id }) {
    const { finding_id } = activeHold(holds, hold_id);
    return [{ kind: 'hold.released', data: { hold_id, finding_id, cause: 'MODERATOR' } }];
  },

  reply: ({ holds }, { hold_id }) => ({ hold: viewHoldChange(holdOf(holds, hold_id)) }),
});
