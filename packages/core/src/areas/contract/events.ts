import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { Outline } from '../document/contract.ts';
import { IssueView } from '../validation/rule.ts';

/**
 * The validation of a new revision. Issues that depend on the status of decisions are not stored, because
 * `validationOf` computes them at each read.
 */
export const StoredValidation = z.strictObject({
  validator_version: z.string(),
  issues: z.array(IssueView),
  error_count: z.int(),
  warning_count: z.int(),
});

export const contractEvents = defineEvents({
  'revision.created': message(
    {
      revision_id: z.string(),
      parent_id: z.string().nullable(),
      /** SHA-256 of the RFC 8785 form of the contract. That form is stored as a document. */
      content_hash: z.string(),
      bytes: z.int(),
      title: z.string(),
      reason: z.string(),
      /** Ids of the records that the author named as the causes. */
      causes: z.array(z.string()).optional(),
      /**
       * The changes from the parent, as `get_revision_diff` shows them. If they exceed the size limit of the event,
       * only the changes that fit are stored.
       */
      ops: z.array(z.record(z.string(), z.unknown())).optional(),
      ops_left_out: z.int().optional(),
      ...StoredValidation.shape,
      /** The ids and dependencies in the contract. Null if the contract breaks its schema. */
      outline: Outline.nullable(),
    },
    { omit: ['outline', 'issues'] },
  ),
  'contract.validated': message(
    {
      run_id: z.string(),
      revision_id: z.string(),
      content_hash: z.string(),
      ...StoredValidation.shape,
      /** The part of the validation result that depends only on the contract and the validator version. */
      stored: StoredValidation.omit({ validator_version: true }),
      blockers: z.array(z.strictObject({ code: z.string(), record: z.string(), responsible: z.string() })),
    },
    { omit: ['issues', 'stored', 'blockers'] },
  ),
  'changes.requested': message({ reason: z.string(), revision_id: z.string() }),
});

const ids = z.array(z.string());

export const StoredMapping = z.strictObject({
  requirement_id: z.string(),
  decisions: ids,
  tasks: ids,
  tests: ids,
  gates: ids,
  note: z.string().optional(),
});
export type StoredMapping = z.output<typeof StoredMapping>;

export const preflightEvents = defineEvents({
  'preflight.submitted': message({ revision_id: z.string(), mappings: z.array(StoredMapping) }),
});
