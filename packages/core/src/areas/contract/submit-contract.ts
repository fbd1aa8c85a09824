import { defineOperation } from '../operation.ts';
import { submissionParts } from './submission-parts.ts';

/** Spec 4.2. A contract that breaks the schema or a rule is stored too, but its revision cannot be certified. */
export const submitContract = defineOperation({
  name: 'submit_contract',
  summary: 'Save the contract as a new revision; Contract Author only.',
  rest: 'POST contract',
  access: { builder: 'submit_contract' },
  ...submissionParts,
});
