import { z } from 'zod';
import { revisionDiffParts } from '../contract/revision-diff.ts';
import { RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Any two revisions; what was rejected meanwhile can be held against what came of it. */
export const diff = defineOperation({
  name: 'diff',
  summary: 'Show what changed from one contract revision to another: JSON Patch operations and a text diff.',
  access: { owner: true },
  input: z.strictObject({
    revision_id: RevisionId,
    against: RevisionId.optional().describe('The revision it is held against; its parent when left out.'),
  }),
  ...revisionDiffParts,
});
