import { z } from 'zod';
import { BlockerView } from '../blockers/blocker.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { RevisionRef, viewRevisionRef } from './schemas.ts';

/** Spec 4.2 and domain 7.4. */
export const listBlockers = defineOperation({
  name: 'list_blockers',
  summary: 'List everything that blocks certification: the record, who must act, and the call that removes it.',
  rest: 'GET contract-blockers',
  access: { builder: 'read_session_state', moderator: true },
  input: NoInput,
  output: z.strictObject({
    certified: z.boolean().describe('True when nothing blocks: the owner can approve the latest revision.'),
    latest_revision: RevisionRef.nullable(),
    blockers: z.array(BlockerView),
  }),
  errors: [],

  reply(state) {
    const blockers = blockersOf(state);
    return { certified: blockers.length === 0, latest_revision: viewRevisionRef(state), blockers: [...blockers] };
  },
});
