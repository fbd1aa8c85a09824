import { blockerListParts, blockerListReply } from '../../blockers/blocker-list.ts';
import { defineOperation } from '../../operation.ts';

export const blockers = defineOperation({
  ...blockerListParts,
  name: 'blockers',
  access: { owner: true },
  reply: blockerListReply('blockers'),
});
