import { z } from 'zod';
import { lookUp } from '../../kernel/history.ts';
import { revisionOf } from '../contract/rules.ts';
import { RevisionFields, viewRevision } from '../contract/schemas.ts';
import { RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { markdownOf } from '../rendering/revision-markdown.ts';

/** One revision whole, an earlier one too; `plan` gives the latest with what validation says of it now. */
export const revision = defineOperation({
  name: 'revision',
  summary: 'Read one contract revision: hash, contract and rendered Markdown.',
  access: { owner: true },
  input: z.strictObject({ revision_id: RevisionId }),
  output: z.strictObject({
    ...RevisionFields,
    contract: z.record(z.string(), z.unknown()),
    markdown: z.string(),
  }),
  errors: ['UNKNOWN_RECORD'],

  documents({ contract }, { revision_id }) {
    const found = lookUp(contract.revisions, revision_id);
    return found ? [found.contentHash] : [];
  },

  *stages({ contract }, { revision_id }, _caller, document) {
    const found = lookUp(contract.revisions, revision_id);
    if (found) yield markdownOf(found.contentHash, document(found.contentHash));
  },

  reply(state, { revision_id }, { document }) {
    const found = revisionOf(state, revision_id);
    const text = document(found.contentHash);
    return { ...viewRevision(found), contract: JSON.parse(text), markdown: markdownOf(found.contentHash, text) };
  },
});
