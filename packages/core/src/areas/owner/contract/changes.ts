import { z } from 'zod';
import { RevisionId } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { requestSeqs } from '../../reading/brief-requests.ts';
import { ChangesView, NO_CHANGES, viewChanges } from '../../reading/changes.ts';
import { knownPair, pairOf } from '../../reading/pair.ts';
import { documentsOf, positionSeqs, precomputeChanges, revisionChanges } from '../../reading/revision-changes.ts';
import { sectionsOf } from '../../reading/sections.ts';

/**
 * Shows in words what changed from one revision to another. The operation `diff` shows the same changes as a JSON
 * Patch.
 */
export const changes = defineOperation({
  name: 'changes',
  summary:
    'Show what changed in the contract since you last read it: by section and record, each change with its cause.',
  access: { owner: true },
  input: z.strictObject({
    revision_id: RevisionId.optional().describe('The revision to read; by default the latest.'),
    since: RevisionId.optional().describe(
      'The revision to compare with; by default the newest earlier revision that you approved or of which you read a section.',
    ),
    after: z.int().min(0).max(1_000_000).optional().describe('Skip this many changes.'),
  }),
  output: ChangesView,
  errors: ['UNKNOWN_RECORD', 'INVALID_INPUT'],

  documents(state, input) {
    const pair = knownPair(state, input);
    return pair ? documentsOf(state, pair) : [];
  },

  precompute(state, input, _caller, document) {
    const pair = knownPair(state, input);
    return pair ? precomputeChanges(state, pair, document) : [];
  },

  reads(state, input) {
    const pair = knownPair(state, input);
    return [...requestSeqs(state, pair), ...positionSeqs(state, pair)];
  },

  reply(state, input, { document, loaded }) {
    const pair = pairOf(state, input);
    if (!pair) return NO_CHANGES;
    const { revision, since } = pair;
    const named = `revision_id: "${revision.revision_id}"${since ? ` and since: "${since.revision_id}"` : ''}`;
    return {
      revision_id: revision.revision_id,
      content_hash: revision.content_hash,
      since: since?.revision_id ?? null,
      since_content_hash: since?.content_hash ?? null,
      ...viewChanges(state, {
        pair,
        loaded,
        changes: revisionChanges(state, pair, document, loaded),
        sections: sectionsOf(document(revision.content_hash)),
        after: input.after ?? 0,
        also: named,
      }),
    };
  },
});
