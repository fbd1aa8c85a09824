import { defineOperation } from '../operation.ts';
import { WHOLE_COST } from './contract-texts.ts';
import { planParts, planReply } from './plan.ts';

/** Spec 4.2. Nulls and empty lists if there is no revision. */
export const getFinalPlan = defineOperation({
  name: 'get_final_plan',
  rest: 'GET plan',
  access: { builder: 'get_final_plan', moderator: true },
  ...planParts,
  reply: planReply('get_final_plan', WHOLE_COST.agent),
});
