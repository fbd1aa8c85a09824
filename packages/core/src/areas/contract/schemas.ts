import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { Reason } from '../fields.ts';
import { pickOf } from '../pick.ts';
import { listIssues, ValidationFields } from '../validation/schemas.ts';
import { Causes } from './causes.ts';
import { ContractInput } from './contract-input.ts';
import { RevisionView } from './record.ts';
import type { Validation } from './rules.ts';

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
  causes: Causes,
});
documented.add(SubmissionInput, { id: 'ContractSubmission' });
export type SubmissionInput = z.output<typeof SubmissionInput>;

export const viewRevision = pickOf(RevisionView);

const { errors, warnings, ...counts } = ValidationFields;
export const ValidationViewFields = { ...counts, validation_errors: errors, validation_warnings: warnings };

export function listValidation(lists: BoundedLists, validator_version: string, validation: Validation) {
  const errors = listIssues(lists, validation.errors);
  const warnings = listIssues(lists, validation.warnings);
  return () => ({
    validator_version,
    validation_errors: errors(),
    validation_warnings: warnings(),
    error_count: validation.error_count,
    warning_count: validation.warning_count,
  });
}
