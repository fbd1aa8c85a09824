import { z } from 'zod';
import { isBuilder } from '../../kernel/roles.ts';
import { BuilderRole, Reason } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { nominationDrafts, viewElection } from './rules.ts';
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

  decide: (state, nomination, { role }) => (isBuilder(role) ? nominationDrafts(state, role, nomination) : []),

  reply: ({ election, profile }) => ({ ...viewElection(election), phase: profile.phase }),
});
