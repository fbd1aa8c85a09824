import { defineOperation } from '../operation.ts';
import { WHOLE_COST } from '../plan/contract-texts.ts';
import { planParts, planReply } from '../plan/plan.ts';

/** The revision that approveContract approves, as the agents see it. */
export const plan = defineOperation({
  name: 'plan',
  access: { owner: true },
  ...planParts,
  reply: planReply('plan', WHOLE_COST.owner),
});
