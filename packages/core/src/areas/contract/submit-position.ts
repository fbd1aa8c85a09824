import { defineOperation } from '../operation.ts';
import { submissionParts } from './submission-parts.ts';

/** Spec 4.2. Another name for `submit_contract`. */
export const submitPosition = defineOperation({
  name: 'submit_position',
  summary: 'Same as submit_contract.',
  rest: 'POST plan',
  access: { builder: 'submit_position' },
  ...submissionParts,
});
