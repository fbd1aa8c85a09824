import { z } from 'zod';
import { type BoundedLists, boundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { isCertified } from '../blockers/blockers-of.ts';
import { At, BuilderRole, Reason, RevisionId } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { listIssues, ValidationFields } from '../validation/schemas.ts';
import { ContractInput } from './contract-input.ts';
import { type Validation, validationOf } from './rules.ts';
import type { Revision } from './state.ts';

/** IN_REVIEW while something blocks certification; APPROVED once the owner froze its manifest. */
export const REVISION_STATUSES = ['INVALID', 'IN_REVIEW', 'CERTIFIED', 'APPROVED'] as const;

export function statusOfLatest(state: SessionState): (typeof REVISION_STATUSES)[number] {
  if (state.manifest.current) return 'APPROVED';
  if (validationOf(state).errorCount > 0) return 'INVALID';
  return isCertified(state) ? 'CERTIFIED' : 'IN_REVIEW';
}

export const ParentId = z
  .string()
  .regex(/^(r_[1-9]\d{0,8})?$/, 'Must be a revision id such as r_1, or empty for the first revision.')
  .nullable()
  .transform((id) => id ?? '')
  .describe('The latest revision_id; an empty string for the first revision.');

/** What a whole contract is handed in with. */
export const SubmissionInput = z.strictObject({
  contract: ContractInput,
  expected_parent_id: ParentId,
  reason: Reason,
});
documented.add(SubmissionInput, { id: 'ContractSubmission' });
export type SubmissionInput = z.output<typeof SubmissionInput>;

/** A contract revision as the state and task views name it. */
export const RevisionRef = z.strictObject({
  revision_id: RevisionId,
  content_hash: z.string(),
  title: z.string(),
  status: z.enum(REVISION_STATUSES).register(documented, { id: 'RevisionStatus' }),
});
documented.add(RevisionRef, { id: 'RevisionRef' });
export const viewRevisionRef = (state: SessionState): z.output<typeof RevisionRef> | null => {
  const { latest } = state.contract;
  if (!latest) return null;
  const { revisionId, contentHash, title } = latest;
  return { revision_id: revisionId, content_hash: contentHash, title, status: statusOfLatest(state) };
};

export const RevisionFields = {
  revision_id: RevisionId,
  parent_id: RevisionId.nullable(),
  content_hash: z
    .string()
    .describe('SHA-256 of the RFC 8785 form of the contract.')
    .register(documented, { id: 'ContentHash' }),
  title: z.string(),
  bytes: z.int().describe('Bytes of the RFC 8785 form as UTF-8.'),
  author: BuilderRole,
  reason: z.string(),
  created_at: At,
};

export const RevisionView = z.strictObject(RevisionFields).register(documented, { id: 'Revision' });

export const viewRevision = (revision: Revision) => ({
  revision_id: revision.revisionId,
  parent_id: revision.parentId,
  content_hash: revision.contentHash,
  title: revision.title,
  bytes: revision.bytes,
  author: revision.by,
  reason: revision.reason,
  created_at: revision.at,
});

const { errors, warnings, ...counts } = ValidationFields;
export const ValidationViewFields = { ...counts, validation_errors: errors, validation_warnings: warnings };

/** What a validation found; its issues are lists of the answer. */
export function listValidation(lists: BoundedLists, validator_version: string, validation: Validation) {
  const errors = listIssues(lists, validation.errors);
  const warnings = listIssues(lists, validation.warnings);
  return () => ({
    validator_version,
    validation_errors: errors(),
    validation_warnings: warnings(),
    error_count: validation.errorCount,
    warning_count: validation.warningCount,
  });
}

/** What a new revision is answered with. */
export const NewRevision = z.strictObject({
  ...RevisionFields,
  status: z.enum(REVISION_STATUSES),
  ...ValidationViewFields,
  reviewers: z.array(BuilderRole).describe('Who reviews it now; every earlier review is historical.'),
});
documented.add(NewRevision, { id: 'NewRevision' });

export function viewNewRevision(state: SessionState): z.output<typeof NewRevision> {
  const { latest, checked } = state.contract;
  if (!latest) throw new Error('A revision was stored and is not there.');
  const lists = boundedLists(LIST_COST);
  const validation = listValidation(lists, checked.validatorVersion, validationOf(state));
  return {
    ...viewRevision(latest),
    status: statusOfLatest(state),
    ...validation(),
    reviewers: [...BUILDERS],
    ...lists.leftOut(),
  };
}
