import { z } from 'zod';
import { Reason } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { applyPatch, PatchOps } from './patch.ts';
import { latestDocument } from './plan.ts';
import { requireAuthor, requireParent } from './rules.ts';
import { NewRevision, ParentId, viewNewRevision } from './schemas.ts';
import { revisionDraft } from './submission.ts';

/** Spec 4.2. All operations apply to the exact parent, or none does; before the first revision that is {}. */
export const patchContract = defineOperation({
  name: 'patch_contract',
  summary: 'Change the latest revision by JSON Patch operations (add, replace, remove); Contract Author only.',
  rest: 'POST contract/patch',
  access: { builder: 'submit_contract' },
  phases: ['CONTRACT'],
  input: z.strictObject({ expected_parent_id: ParentId, reason: Reason, ops: PatchOps }),
  output: NewRevision,
  errors: ['NOT_CONTRACT_AUTHOR', 'STALE_PARENT', 'PATCH_FAILED', 'INVALID_INPUT', 'LIMIT_EXCEEDED'],

  documents: latestDocument,

  decide(state, { expected_parent_id, reason, ops }, { role }, env) {
    requireAuthor(state, role);
    const parent = requireParent(state, expected_parent_id);
    const before: unknown = parent ? JSON.parse(env.document(parent.contentHash)) : {};
    return [revisionDraft(state, { value: applyPatch(before, ops), parent, reason }, env)];
  },

  reply: viewNewRevision,
});
