import { z } from 'zod';
import { HoldId, Reason } from '../../fields.ts';
import { findingGrounds, holdGrounds, moderatorGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { activeHold, holdOf } from '../../holds/rules.ts';
import { HoldResult, viewHold } from '../../holds/schemas.ts';
import { defineDecision } from '../../operation.ts';
import { requireOpen } from '../rules.ts';

/** Domain 10. Releases a hold of the moderator. The finding of the hold stays open. */
export const releaseHold = defineDecision({
  name: 'releaseHold',
  summary: "Release the moderator's hold on a finding; the finding stays open.",
  access: { owner: 'approver' },
  input: z.strictObject({ hold_id: HoldId, reason: Reason, ...SEEN }),
  output: HoldResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'HOLD_CLOSED'],

  said: ({ answer: { hold } }) => `${hold.hold_id} is released. Its finding ${hold.finding_id} stays open.`,

  restsOn(state, { hold_id }) {
    const { finding_id: held } = holdOf(state.holds, hold_id);
    const finding = findingGrounds(state, (one) => one.finding_id === held);
    return [...holdGrounds(state, held), ...finding, ...moderatorGrounds(state)];
  },

  decide(state, { hold_id, reason }) {
    requireOpen(state, 'releaseHold');
    const { finding_id } = activeHold(state.holds, hold_id);
    return [{ kind: 'hold.released', data: { hold_id, finding_id, cause: 'OWNER', reason } }];
  },

  reply: ({ holds }, { hold_id }) => ({ hold: viewHold(holdOf(holds, hold_id)) }),
});
