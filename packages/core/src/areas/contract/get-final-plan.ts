import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { latestDocument, PlanView, planStages, viewPlan } from './plan.ts';

/** Spec 4.2. Nulls and empty lists while there is no revision. */
export const getFinalPlan = defineOperation({
  name: 'get_final_plan',
  summary: 'Read the latest contract revision: hash, contract, validation, rendered Markdown and both reviews.',
  rest: 'GET plan',
  access: { builder: 'get_final_plan', moderator: true },
  input: NoInput,
  output: PlanView,
  errors: [],

  documents: latestDocument,
  stages: (state, _input, _caller, document) => planStages(state, document),
  reply: (state, _input, { document }) => viewPlan(state, document),
});
