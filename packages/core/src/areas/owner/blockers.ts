import { listBlockers } from '../contract/list-blockers.ts';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Everything that keeps the owner from approving, whoever must act. */
export const blockers = defineOperation({
  name: 'blockers',
  summary: 'List everything that blocks certification: the record, who must act, and the call that removes it.',
  access: { owner: true },
  input: NoInput,
  output: listBlockers.output,
  errors: [],

  reply: (state, input, context) => listBlockers.reply(state, input, context),
});
