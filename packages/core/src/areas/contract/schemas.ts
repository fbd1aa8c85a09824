import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { At, BuilderRole, Reason, RevisionId } from '../fields.ts';
import { listIssues, ValidationFields } from '../validation/schemas.ts';
import { ContractInput } from './contract-input.ts';
import type { Validation } from './rules.ts';
import type { Revision } from './state.ts';

export const ParentId = z
  .string()
  .regex(/^(r_[1-9]\d{0,8})?$/, 'Must be a revision id such as r_1, or empty for the first revision.')
  .nullable()
  .transform((id) => id ?? '')
  .describe('Latest revision_id; "" if there is none.');

export const SubmissionInput = z.strictObject({
  contract: ContractInput,
  expected_parent_id: ParentId,
  reason: Reason,
});
documented.add(SubmissionInput, { id: 'ContractSubmission' });
export type SubmissionInput = z.output<typeof SubmissionInput>;

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
