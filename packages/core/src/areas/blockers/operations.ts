import { defineOperation } from '../operation.ts';
import { blockerListParts, blockerListReply } from './rules.ts';

export const listBlockers = defineOperation({
  ...blockerListParts,
  name: 'list_blockers',
  rest: 'GET contract-blockers',
  access: { builder: 'read_session_state', moderator: true },
  reply: blockerListReply('list_blockers'),
});
