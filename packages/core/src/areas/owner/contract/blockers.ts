import { blockerListParts, blockerListReply } from '../../blockers/blocker-list.ts';
import { defineOperation } from '../../operation.ts';

/** Lists everything that prevents the approval, whoever must act. */
export const blockers = defineOperation({
  ...blockerListParts,
  name: 'blockers',
  access: { owner: true },
  reply: blockerListReply('blockers'),
});
