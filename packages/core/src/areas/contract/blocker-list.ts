import { z } from 'zod';
import { BlockerView } from '../blockers/blocker.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { NoInput } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { RevisionRef, viewRevisionRef } from './schemas.ts';

/** What list_blockers and the owner's blockers have in common: all but name and access. */
export const blockerListParts = {
  summary: 'List everything that blocks certification: the record, who must act, and the call that removes it.',
  input: NoInput,
  output: z.strictObject({
    certified: z.boolean().describe('True when nothing blocks: the owner can approve the latest revision.'),
    latest_revision: RevisionRef.nullable(),
    blockers: z.array(BlockerView),
  }),
  errors: [],

  reply(state: SessionState) {
    const blockers = blockersOf(state);
    return { certified: blockers.length === 0, latest_revision: viewRevisionRef(state), blockers: [...blockers] };
  },
} as const;
