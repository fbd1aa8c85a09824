import { z } from 'zod';
import { RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { DIFF_INPUT, revisionDiffParts, revisionDiffReply } from './revision-diff.ts';

/**
 * Spec 4.2. Without `against`, compares the revision with its parent. The first revision is compared with an empty
 * contract.
 */
export const getRevisionDiff = defineOperation({
  name: 'get_revision_diff',
  summary: 'Show what a revision changed.',
  rest: 'GET contract/diff',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({
    ...DIFF_INPUT,
    revision_id: RevisionId.optional(),
    against: RevisionId.optional(),
  }),
  ...revisionDiffParts,
  reply: revisionDiffReply('get_revision_diff'),
});
