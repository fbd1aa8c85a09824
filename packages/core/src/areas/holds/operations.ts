import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { HoldId } from '../fields.ts';
import { FindingReasonInput, openFinding } from '../findings/rules.ts';
import { defineOperation } from '../operation.ts';
import { activeHold, HoldChangeResult, holdOf, holdOn, openedHoldDraft, viewHoldChange } from './rules.ts';

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
