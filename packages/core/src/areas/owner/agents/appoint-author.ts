import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { electionDrafts, viewElection } from '../../election/rules.ts';
import { ElectionResult } from '../../election/schemas.ts';
import { BuilderRole } from '../../fields.ts';
import { electionGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { defineDecision } from '../../operation.ts';
import { requireOpen } from '../rules.ts';

/** Domain 2. The owner appoints the Contract Author in place of an election. */
export const appointAuthor = defineDecision({
  name: 'appointAuthor',
  summary: 'Appoint the Contract Author yourself.',
  access: { owner: true },
  input: z.strictObject({ candidate: BuilderRole, ...SEEN }),
  output: ElectionResult,
  errors: ['INVALID_TRANSITION'],

  said: ({ input: { candidate }, nameOf }) =>
    `${nameOf(candidate)} is the Contract Author, and writes the contract next.`,

  restsOn: (state) => electionGrounds(state),

  decide(state, { candidate }) {
    requireOpen(state, 'appointAuthor');
    const { phase } = state.profile;
    if (phase !== 'PLANNING' && phase !== 'CONTRACT')
      fail('INVALID_TRANSITION', `appointAuthor works in PLANNING and CONTRACT; the session is in ${phase}.`, {
        phase,
      });
    return electionDrafts(state, candidate);
  },

  reply: ({ election, profile }) => ({ ...viewElection(election), phase: profile.phase }),
});
