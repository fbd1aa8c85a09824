import { z } from 'zod';
import { blockerListParts, blockerListReply } from '../../blockers/blocker-list.ts';
import { LogHead } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';

const replyOf = blockerListReply('blockers');

export const blockers = defineOperation({
  ...blockerListParts,
  name: 'blockers',
  access: { owner: true },
  output: z.strictObject({ ...blockerListParts.output.shape, head: LogHead }),
  reply: (state, input) => ({ ...replyOf(state, input), head: { ...state.head } }),
});
