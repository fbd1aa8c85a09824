import { latestDocument, PlanView, planStages, viewPlan } from '../contract/plan.ts';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** The bytes that approveContract approves, as the agents see them. */
export const plan = defineOperation({
  name: 'plan',
  summary: 'Read the latest contract revision: hash, contract, validation, rendered Markdown and both reviews.',
  access: { owner: true },
  input: NoInput,
  output: PlanView,
  errors: [],

  documents: latestDocument,
  stages: (state, _input, _caller, document) => planStages(state, document),
  reply: (state, _input, { document }) => viewPlan(state, document),
});
