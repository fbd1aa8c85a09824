import { defineOperation } from '../operation.ts';
import { submissionParts } from './submission-parts.ts';

/** Spec 4.2. Another name for `submit_contract`. */
export const proposeRevision = defineOperation({
  name: 'propose_revision',
  summary: 'Same as submit_contract.',
  rest: 'POST plan-revision',
  access: { builder: 'submit_contract' },
  ...submissionParts,
});
