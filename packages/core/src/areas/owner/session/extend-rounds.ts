import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { MAX_ROUNDS } from '../../../kernel/limits.ts';
import { defineOperation } from '../../operation.ts';
import { requireOpen } from '../rules.ts';
import { Standing, viewStanding } from '../schemas.ts';

export const extendRounds = defineOperation({
  name: 'extendRounds',
  summary: 'Give the agents more rounds of turns.',
  access: { owner: true },
  input: z.strictObject({ rounds: z.int().min(1).max(MAX_ROUNDS).describe('How many rounds to add.') }),
  output: Standing,
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said: ({ answer: { round_limit } }) => `The session has ${round_limit} rounds in all now.`,

  decide(state, { rounds }) {
    requireOpen(state, 'extendRounds');
    const round_limit = state.profile.round_limit + rounds;
    if (round_limit > MAX_ROUNDS)
      fail(
        'LIMIT_EXCEEDED',
        `A session has at most ${MAX_ROUNDS} rounds, and this call would raise the number to ${round_limit}.`,
        {
          limit: MAX_ROUNDS,
          hint: 'Add fewer rounds. If no rounds can be added, appoint the Contract Author with appointAuthor.',
        },
      );
    return [{ kind: 'rounds.extended', data: { rounds, round_limit } }];
  },

  reply: viewStanding,
});
