import { z } from 'zod';
import { boundedLists } from '../../../kernel/operation/bounded-lists.ts';
import type { ReplyContext } from '../../../kernel/operation/operation.ts';
import { LogHead } from '../../fields.ts';
import { openCaveats } from '../../findings/rules.ts';
import { CaveatView, listOpenCaveats } from '../../findings/schemas.ts';
import { LIST_COST } from '../../listing.ts';
import { defineOperation } from '../../operation.ts';
import { type PieceInput, WHOLE_COST } from '../../plan/contract-texts.ts';
import { PlanView, planParts, planReply } from '../../plan/plan.ts';
import type { SessionState } from '../../state.ts';

const replyOf = planReply('plan', WHOLE_COST.owner);

/** Reads the revision that `approveContract` would approve, and the open caveats of the reviews that approve it. */
export const plan = defineOperation({
  name: 'plan',
  access: { owner: true },
  ...planParts,
  output: z.strictObject({
    ...PlanView.shape,
    head: LogHead,
    open_caveats: z
      .array(CaveatView)
      .optional()
      .describe('Open caveats of the reviews that approve the latest revision.'),
  }),

  reply(state: SessionState, input: z.output<typeof PieceInput>, context: Pick<ReplyContext, 'document'>) {
    const answer = { ...replyOf(state, input, context), head: { ...state.head } };
    if (openCaveats(state.findings).length === 0) return answer;
    const lists = boundedLists(LIST_COST);
    const caveats = listOpenCaveats(lists, state);
    return { open_caveats: caveats(), ...lists.leftOut(), ...answer };
  },
});
