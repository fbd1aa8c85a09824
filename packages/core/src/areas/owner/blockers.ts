import { blockerListParts, blockerListReply } from '../blockers/blocker-list.ts';
import { defineOperation } from '../operation.ts';

/** Everything that keeps the owner from approving, whoever must act. */
export const blockers = defineOperation({
  ...blockerListParts,
  name: 'blockers',
  access: { owner: true },
  reply: blockerListReply('blockers'),
});
