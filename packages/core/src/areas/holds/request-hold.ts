import { fail } from '../../kernel/errors.ts';
import { openFinding } from '../findings/rules.ts';
import { FindingReasonInput } from '../findings/schemas.ts';
import { defineOperation } from '../operation.ts';
import { holdOn, openedHoldDraft } from './rules.ts';
import { HoldChangeResult, viewHoldChange } from './schemas.ts';

/**
 * Spec 4.3. A finding has at most one active hold. A repeated request with the same `reason` returns the existing hold.
 */
export const requestHold = defineOperation({
  name: 'request_hold',
  summary: 'Put a hold on an open finding: it stops the approval and authorizations.',
  rest: 'POST moderator/holds',
  access: { moderator: 'hold' },
  input: FindingReasonInput,
  output: HoldChangeResult,
  errors: ['UNKNOWN_RECORD', 'FINDING_CLOSED', 'HOLD_ACTIVE'],

  decide({ findings, holds }, { finding_id, reason }) {
    openFinding(findings, finding_id);
    const standing = holdOn(holds, finding_id);
    if (standing?.reason === reason) return [];
    if (standing) {
      const { hold_id } = standing;
      fail('HOLD_ACTIVE', `Finding ${finding_id} already has the active hold ${hold_id}.`, {
        hold_ids: [hold_id],
        hint: 'Do not request another hold on this finding: the hold in hold_ids already stops the approval and every authorization.',
      });
    }
    return [openedHoldDraft(holds, finding_id, reason)];
  },

  reply: ({ holds }, { finding_id }) => ({
    hold: viewHoldChange(
      holdOn(holds, finding_id) ?? fail('INTERNAL', 'The hold was stored, but the state does not contain it.'),
    ),
  }),
});
