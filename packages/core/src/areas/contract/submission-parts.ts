import type { Caller, ReadDocument } from '../../kernel/operation/operation.ts';
import { latestDocument } from '../plan/plan.ts';
import type { SessionState } from '../state.ts';
import { NewRevision, viewNewRevision } from './new-revision.ts';
import { requireAuthor, requireParent } from './rules.ts';
import { SubmissionInput } from './schemas.ts';
import { precomputeSubmission, revisionDraft } from './submission.ts';

/**
 * The members that the operations `submit_contract`, `submit_position` and `propose_revision` share. Each adds its
 * name, route and scope.
 */
export const submissionParts = {
  phases: ['CONTRACT'],
  input: SubmissionInput,
  output: NewRevision,
  errors: ['NOT_CONTRACT_AUTHOR', 'STALE_PARENT', 'UNKNOWN_RECORD', 'INVALID_INPUT'] as const,

  documents: latestDocument,

  precompute: (state: SessionState, { contract }: SubmissionInput, _caller: unknown, document: ReadDocument) =>
    precomputeSubmission(state, contract, document),

  decide(
    state: SessionState,
    { contract, expected_parent_id, ...why }: SubmissionInput,
    { role }: Caller,
    { document }: { readonly document: ReadDocument },
  ) {
    requireAuthor(state, role);
    const parent = requireParent(state, expected_parent_id);
    return [revisionDraft(state, { value: contract, parent, document, ...why })];
  },

  reply: viewNewRevision,
};
