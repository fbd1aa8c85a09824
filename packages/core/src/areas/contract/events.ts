import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { Outline } from '../document/outline.ts';
import { IssueView } from '../validation/issue.ts';

/** What the contract itself and the mission decide; where the decisions stand is looked at anew each time. */
const StoredValidation = {
  validator_version: z.string(),
  issues: z.array(IssueView),
  error_count: z.int(),
  warning_count: z.int(),
};

export const contractEvents = defineEvents({
  'revision.created': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    omit: ['outline', 'issues'],
    data: z.strictObject({
      revision_id: z.string(),
      parent_id: z.string().nullable(),
      /** SHA-256 of the RFC 8785 form, which is stored as a document. */
      content_hash: z.string(),
      bytes: z.int(),
      title: z.string(),
      reason: z.string(),
      ...StoredValidation,
      /** Null when the contract breaks its schema. */
      outline: Outline.nullable(),
    }),
  },
  'contract.validated': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    omit: ['issues', 'stored', 'blockers'],
    data: z.strictObject({
      run_id: z.string(),
      revision_id: z.string(),
      content_hash: z.string(),
      validator_version: z.string(),
      /** Issues of every kind, as they stood. */
      issues: z.array(IssueView),
      error_count: z.int(),
      warning_count: z.int(),
      /** The part that never changes for these bytes and this validator. */
      stored: z.strictObject({ issues: z.array(IssueView), error_count: z.int(), warning_count: z.int() }),
      /** Codes and records that blocked certification at that moment. */
      blockers: z.array(z.strictObject({ code: z.string(), record: z.string(), responsible: z.string() })),
    }),
  },
  'changes.requested': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ reason: z.string(), revision_id: z.string() }),
  },
});
