import { defineOperation } from '../operation.ts';
import { planParts, planReply, WHOLE_COST } from './plan.ts';

/** Spec 4.2. Reads the latest revision. If there is none, the members are null and the lists are empty. */
export const getFinalPlan = defineOperation({
  name: 'get_final_plan',
  rest: 'GET plan',
  access: { builder: 'get_final_plan', moderator: true },
  ...planParts,
  reply: planReply('get_final_plan', WHOLE_COST.agent),
});
