import { z } from 'zod';
import type { ReadDocument } from '../../kernel/documents.ts';
import { lookUp } from '../../kernel/history.ts';
import { createRemembered } from '../../kernel/remembered.ts';
import { RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { markdownOf } from '../rendering/revision-markdown.ts';
import type { SessionState } from '../state.ts';
import { diffOps, diffText, type TextDiff } from './diff.ts';
import type { PatchOp } from './patch.ts';
import { unknownRevision } from './rules.ts';
import { RevisionFields, viewRevision } from './schemas.ts';
import type { Revision } from './state.ts';

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
    truncated: z.boolean().describe('True when the text was cut at 60,000 characters.'),
  }),
  errors: ['UNKNOWN_RECORD'],

  documents({ contract: { revisions } }, { revision_id }) {
    const revision = lookUp(revisions, revision_id);
    const parent = lookUp(revisions, revision?.parentId ?? '');
    return [revision, parent].flatMap((known) => known?.contentHash ?? []);
  },

  *stages(state, { revision_id }, _caller, document) {
    const pair = pairOf(state, revision_id);
    if (!pair) return;
    for (const { contentHash } of [pair.revision, ...(pair.parent ? [pair.parent] : [])])
      yield markdownOf(contentHash, document(contentHash));
    yield opsOf(state, pair, document);
    yield textOf(state, pair, document);
  },

  reply(state, { revision_id }, { document }) {
    const pair = pairOf(state, revision_id) ?? unknownRevision(revision_id);
    return {
      ...viewRevision(pair.revision),
      parent_content_hash: pair.parent?.contentHash ?? null,
      ops: opsOf(state, pair, document).map((op) => ({ ...op })),
      ...textOf(state, pair, document),
    };
  },
});

/** A revision and the one it continues. */
interface Pair {
  readonly revision: Revision;
  readonly parent: Revision | undefined;
}

function pairOf({ contract: { revisions } }: SessionState, id: string): Pair | undefined {
  const revision = lookUp(revisions, id);
  return revision && { revision, parent: lookUp(revisions, revision.parentId ?? '') };
}

const rememberOps = createRemembered<SessionState, readonly PatchOp[]>();
const rememberText = createRemembered<SessionState, TextDiff>();

const opsOf = (state: SessionState, { revision, parent }: Pair, document: ReadDocument): readonly PatchOp[] =>
  rememberOps(state, revision.revisionId, () => {
    const before: unknown = parent ? JSON.parse(document(parent.contentHash)) : {};
    return diffOps(before, JSON.parse(document(revision.contentHash)));
  });

const textOf = (state: SessionState, { revision, parent }: Pair, document: ReadDocument): TextDiff =>
  rememberText(state, revision.revisionId, () => {
    const before = parent ? markdownOf(parent.contentHash, document(parent.contentHash)) : '';
    const after = markdownOf(revision.contentHash, document(revision.contentHash));
    return diffText(before, after, { before: parent?.revisionId ?? 'empty', after: revision.revisionId });
  });
