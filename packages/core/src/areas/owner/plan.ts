import { planParts } from '../contract/plan.ts';
import { defineOperation } from '../operation.ts';

/** The bytes that approveContract approves, as the agents see them. */
export const plan = defineOperation({ name: 'plan', access: { owner: true }, ...planParts });
