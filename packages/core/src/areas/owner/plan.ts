import { planParts, planReply } from '../contract/plan.ts';
import { WHOLE_COST } from '../document/contract-texts.ts';
import { defineOperation } from '../operation.ts';

/** The bytes that approveContract approves, as the agents see them. */
export const plan = defineOperation({
  name: 'plan',
  access: { owner: true },
  ...planParts,
  reply: planReply('plan', WHOLE_COST.owner),
});
