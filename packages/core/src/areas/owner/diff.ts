import { z } from 'zod';
import { DIFF_INPUT, RevisionDiffView, revisionDiffParts, revisionDiffReply } from '../contract/revision-diff.ts';
import { revisionOf } from '../contract/rules.ts';
import { RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Compares any two revisions, so that a rejected revision can be compared with its successor. */
export const diff = defineOperation({
  ...revisionDiffParts,
  name: 'diff',
  summary: 'Show what changed from one contract revision to another: JSON Patch operations and a text diff.',
  access: { owner: true },
  input: z.strictObject({
    ...DIFF_INPUT,
    against: RevisionId.optional().describe('The revision to compare with; the parent when left out.'),
  }),
  output: z.strictObject({
    ...RevisionDiffView.shape,
    base: z
      .strictObject({ revision_id: RevisionId, content_hash: z.string() })
      .nullable()
      .describe('The revision it was compared with; null for the empty contract.'),
  }),

  reply(state, input, context) {
    const shown = revisionDiffReply('diff')(state, input, context);
    const baseId = input.against ?? shown.parent_id;
    const base = baseId === null ? null : { revision_id: baseId, content_hash: revisionOf(state, baseId).contentHash };
    return { ...shown, base };
  },
});
