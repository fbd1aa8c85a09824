import { z } from 'zod';
import { isBuilder, otherBuilder } from '../../kernel/roles.ts';
import { BuilderRole, Reason } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { electionDrafts, viewElection } from './rules.ts';
import { ElectionResult } from './state.ts';

/**
 * Spec 4.2. A candidate is elected when both builders have nominated it. The author changes if both later nominate the
 * other builder.
 */
export const electContractAuthor = defineOperation({
  name: 'elect_contract_author',
  summary: 'Nominate the author; both builders must agree.',
  rest: 'POST contract-election',
  access: { builder: 'elect_contract_author' },
  phases: ['PLANNING', 'CONTRACT'],
  input: z.strictObject({ candidate: BuilderRole, reason: Reason }),
  output: ElectionResult,
  errors: [],

  decide(state, { candidate, reason }, { role }) {
    if (!isBuilder(role)) return [];
    const { nominations } = state.election;
    const own = nominations[role];
    if (own?.candidate === candidate && own.reason === reason) return [];
    const isMatch = nominations[otherBuilder(role)]?.candidate === candidate;
    const elected = isMatch ? electionDrafts(state, candidate) : [];
    return [
      { kind: 'author.nominated', data: { candidate, reason } },
      ...elected.map((draft) => ({ ...draft, actor: 'system' as const })),
    ];
  },

  reply: ({ election, profile }) => ({ ...viewElection(election), phase: profile.phase }),
});
