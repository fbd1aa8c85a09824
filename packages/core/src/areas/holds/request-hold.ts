import { fail } from '../../kernel/errors.ts';
import { openFinding } from '../findings/rules.ts';
import { FindingReasonInput } from '../findings/schemas.ts';
import { defineOperation } from '../operation.ts';
import { holdOn, openedHoldDraft } from './rules.ts';
import { HoldResult, viewHold } from './schemas.ts';

/** Spec 4.3. One active hold per finding; the same request again answers with the one that stands. */
export const requestHold = defineOperation({
  name: 'request_hold',
  summary: 'Put a hold on an open finding: it stops the approval and every authorization until it is released.',
  rest: 'POST moderator/holds',
  access: { moderator: 'hold' },
  input: FindingReasonInput,
  output: HoldResult,
  errors: ['UNKNOWN_RECORD', 'FINDING_CLOSED', 'HOLD_ACTIVE'],

  decide({ findings, holds }, { finding_id, reason }) {
    openFinding(findings, finding_id);
    const standing = holdOn(holds, finding_id);
    if (standing?.reason === reason) return [];
    if (standing) {
      const { holdId } = standing;
      fail('HOLD_ACTIVE', `Hold ${holdId} stands on ${finding_id} already.`, { hold_ids: [holdId] });
    }
    return [openedHoldDraft(holds, finding_id, reason)];
  },

  reply: ({ holds }, { finding_id }) => ({
    hold: viewHold(holdOn(holds, finding_id) ?? fail('INTERNAL', 'The hold is missing from its own answer.')),
  }),
});
