import { defineOperation } from '../operation.ts';
import { blockerListParts, blockerListReply } from './blocker-list.ts';

/** Spec 4.2 and domain 7.4. */
export const listBlockers = defineOperation({
  ...blockerListParts,
  name: 'list_blockers',
  rest: 'GET contract-blockers',
  access: { builder: 'read_session_state', moderator: true },
  reply: blockerListReply('list_blockers'),
});
