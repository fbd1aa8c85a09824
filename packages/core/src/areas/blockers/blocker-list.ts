import { z } from 'zod';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BlockerView } from '../blockers/blocker.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { LIST_COST, pageCall } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { RevisionRef, viewRevisionRef } from './revision-status.ts';

const BlockerListInput = z.strictObject({
  after: z.int().min(0).max(999_999_999).optional().describe('How many of the first ones you have.'),
});

const BlockerList = z.strictObject({
  certified: z.boolean().describe('True when nothing blocks: the owner can approve the latest revision.'),
  latest_revision: RevisionRef.nullable(),
  blockers: z.array(BlockerView).describe('What must be done first comes first.'),
  ...LEFT_OUT,
});
documented.add(BlockerList, { id: 'BlockerList' });

/** What list_blockers and the owner's blockers have in common: all but name and access. */
export const blockerListParts = {
  summary: 'List everything that blocks certification: the record, who must act, and the call that removes it.',
  input: BlockerListInput,
  output: BlockerList,
  errors: [],
} as const;

/** @param tool the operation that lists them */
export const blockerListReply =
  (tool: string) =>
  (state: SessionState, { after = 0 }: z.output<typeof BlockerListInput>) => {
    const blockers = blockersOf(state);
    const lists = boundedLists(LIST_COST);
    const shown = lists.list({
      records: blockers.slice(after).map((blocker, index) => ({ blocker, place: after + index + 1 })),
      view: ({ blocker }) => blocker,
      how: (last) => pageCall(tool, last?.place ?? 0),
    });
    return {
      certified: blockers.length === 0,
      latest_revision: viewRevisionRef(state),
      blockers: shown(),
      ...lists.leftOut(),
    };
  };
