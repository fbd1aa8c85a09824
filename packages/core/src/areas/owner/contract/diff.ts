import { z } from 'zod';
import { DIFF_INPUT, RevisionDiffView, revisionDiffParts, revisionDiffReply } from '../../contract/revision-diff.ts';
import { revisionOf } from '../../contract/rules.ts';
import { RevisionId } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';

/** Compares any two revisions, for example a revision that the owner rejected with a later revision. */
export const diff = defineOperation({
  ...revisionDiffParts,
  name: 'diff',
  summary: 'Show what changed from one contract revision to another: JSON Patch operations and a text diff.',
  access: { owner: true },
  input: z.strictObject({
    ...DIFF_INPUT,
    against: RevisionId.optional().describe("The base revision; by default revision_id's parent."),
  }),
  output: z.strictObject({
    ...RevisionDiffView.shape,
    base: z
      .strictObject({ revision_id: RevisionId, content_hash: z.string() })
      .nullable()
      .describe('The revision with which revision_id is compared; null if that is the empty contract.'),
  }),

  reply(state, input, context) {
    const shown = revisionDiffReply('diff')(state, input, context);
    const baseId = input.against ?? shown.parent_id;
    const base = baseId === null ? null : { revision_id: baseId, content_hash: revisionOf(state, baseId).content_hash };
    return { ...shown, base };
  },
});
