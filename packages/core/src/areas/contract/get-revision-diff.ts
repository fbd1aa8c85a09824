import { z } from 'zod';
import { lookUp } from '../../kernel/history.ts';
import { RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { renderAnyContract } from '../rendering/any-contract.ts';
import { diffOps, diffText } from './diff.ts';
import { revisionOf } from './rules.ts';
import { RevisionFields, viewRevision } from './schemas.ts';

/** Spec 4.2. The first revision is diffed against an empty contract. */
export const getRevisionDiff = defineOperation({
  name: 'get_revision_diff',
  summary: 'Show what a revision changed against its parent: JSON Patch operations and a text diff of the Markdown.',
  rest: 'GET contract/diff',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({ revision_id: RevisionId }),
  output: z.strictObject({
    ...RevisionFields,
    parent_content_hash: z.string().nullable(),
    ops: z.array(z.record(z.string(), z.unknown())).describe('RFC 6902; applied to the parent they give the revision.'),
    text: z.string().describe('Unified diff of the rendered Markdown.'),
    truncated: z.boolean().describe('True when the text was cut or coarsened.'),
  }),
  errors: ['UNKNOWN_RECORD'],

  documents({ contract: { revisions } }, { revision_id }) {
    const revision = lookUp(revisions, revision_id);
    const parent = lookUp(revisions, revision?.parentId ?? '');
    return [revision, parent].flatMap((known) => known?.contentHash ?? []);
  },

  reply(state, { revision_id }, { document }) {
    const revision = revisionOf(state, revision_id);
    const parent = revision.parentId === null ? null : revisionOf(state, revision.parentId);
    const after: Record<string, unknown> = JSON.parse(document(revision.contentHash));
    const before: Record<string, unknown> | null = parent && JSON.parse(document(parent.contentHash));
    const names = { before: parent?.revisionId ?? 'empty', after: revision.revisionId };
    return {
      ...viewRevision(revision),
      parent_content_hash: parent?.contentHash ?? null,
      ops: diffOps(before ?? {}, after).map((op) => ({ ...op })),
      ...diffText(before ? renderAnyContract(before) : '', renderAnyContract(after), names),
    };
  },
});
