import { z } from 'zod';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { LIST_COST, pageCall } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { BlockerView, viewBlocker } from './blocker.ts';
import { RevisionRef, viewRevisionRef } from './revision-status.ts';

const BlockerListInput = z.strictObject({
  after: z.int().min(0).max(999_999_999).optional().describe('Skip this many items.'),
});

const BlockerList = z.strictObject({
  certified: z.boolean().describe('True when nothing blocks certification: the owner can approve the latest revision.'),
  latest_revision: RevisionRef.nullable(),
  blockers: z.array(BlockerView).describe('Blockers in the order in which they must be removed.'),
  ...LEFT_OUT,
});
documented.add(BlockerList, { id: 'BlockerList' });

/**
 * The members that the operations `list_blockers` and `blockers` share. Each of the two adds its name and its access.
 */
export const blockerListParts = {
  summary: 'List what blocks certification, and who must act.',
  input: BlockerListInput,
  output: BlockerList,
  errors: [],
} as const;

/**
 * Makes the function `reply` of an operation that lists blockers.
 * @param tool name of the operation that the answer names as the call for the next page
 */
export const blockerListReply =
  (tool: string) =>
  (state: SessionState, { after = 0 }: z.output<typeof BlockerListInput>) => {
    const blockers = stoppingTasks(state);
    const lists = boundedLists(LIST_COST);
    const shown = lists.list({
      records: blockers.slice(after).map((blocker, index) => ({ blocker, place: after + index + 1 })),
      view: ({ blocker }) => viewBlocker(blocker),
      how: (last) => pageCall(tool, last?.place ?? 0),
    });
    return {
      certified: blockers.length === 0,
      latest_revision: viewRevisionRef(state),
      blockers: shown(),
      ...lists.leftOut(),
    };
  };
