import { z } from 'zod';
import { RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { OPS_AFTER, revisionDiffParts, revisionDiffReply } from './revision-diff.ts';

/** Spec 4.2. The first revision is compared with an empty contract. */
export const getRevisionDiff = defineOperation({
  name: 'get_revision_diff',
  summary: 'Show what a revision changed from its parent: JSON Patch operations and a text diff of the Markdown.',
  rest: 'GET contract/diff',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({ revision_id: RevisionId, after: OPS_AFTER }),
  ...revisionDiffParts,
  reply: revisionDiffReply('get_revision_diff'),
});
