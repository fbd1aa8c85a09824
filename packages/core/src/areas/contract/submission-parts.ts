import type { Caller } from '../../kernel/operation/operation.ts';
import type { SessionState } from '../state.ts';
import { NewRevision, viewNewRevision } from './new-revision.ts';
import { requireAuthor, requireParent } from './rules.ts';
import { SubmissionInput } from './schemas.ts';
import { precomputeSubmission, revisionDraft } from './submission.ts';

/** Shared definition of submit_contract, submit_position and propose_revision; each adds name, route and scope. */
export const submissionParts = {
  phases: ['CONTRACT'],
  input: SubmissionInput,
  output: NewRevision,
  errors: ['NOT_CONTRACT_AUTHOR', 'STALE_PARENT', 'INVALID_INPUT'] as const,

  precompute: (state: SessionState, { contract }: SubmissionInput) => precomputeSubmission(state, contract),

  decide(state: SessionState, { contract, expected_parent_id, reason }: SubmissionInput, { role }: Caller) {
    requireAuthor(state, role);
    const parent = requireParent(state, expected_parent_id);
    return [revisionDraft(state, { value: contract, parent, reason })];
  },

  reply: viewNewRevision,
};
