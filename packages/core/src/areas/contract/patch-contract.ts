import { z } from 'zod';
import { memoizeBy } from '../../kernel/memoize.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { applyPatch, PatchOps } from '../document/patch.ts';
import { readValues } from '../document/patch-values.ts';
import { Reason } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { latestDocument } from '../plan/plan.ts';
import type { SessionState } from '../state.ts';
import { Causes } from './causes.ts';
import { NewRevision, viewNewRevision } from './new-revision.ts';
import { requireAuthor, requireParent } from './rules.ts';
import { ParentId } from './schemas.ts';
import { precomputeSubmission, revisionDraft } from './submission.ts';

const PatchInput = z.strictObject({ expected_parent_id: ParentId, reason: Reason, causes: Causes, ops: PatchOps });

type Ops = z.output<typeof PatchInput>['ops'];

const applied = memoizeBy(
  (ops: Ops, hash: string | undefined, document: ReadDocument): unknown =>
    applyPatch(hash === undefined ? {} : JSON.parse(document(hash)), readValues(ops)),
  (hash) => hash ?? '',
);

const patched = ({ contract }: SessionState, { ops }: { readonly ops: Ops }, document: ReadDocument): unknown =>
  applied(ops, contract.latest?.content_hash, document);

/** Spec 4.2. Applies all operations to the latest revision, or none. Before the first revision, they apply to `{}`. */
export const patchContract = defineOperation({
  name: 'patch_contract',
  summary: 'Change the latest revision by JSON Patch; Contract Author only.',
  rest: 'POST contract/patch',
  access: { builder: 'submit_contract' },
  phases: ['CONTRACT'],
  input: PatchInput,
  output: NewRevision,
  errors: ['NOT_CONTRACT_AUTHOR', 'STALE_PARENT', 'UNKNOWN_RECORD', 'PATCH_FAILED', 'INVALID_INPUT'],

  documents: latestDocument,

  *precompute(state, input, _caller, document) {
    const value = patched(state, input, document);
    yield value;
    yield* precomputeSubmission(state, value, document);
  },

  decide(state, input, { role }, { document }) {
    requireAuthor(state, role);
    const parent = requireParent(state, input.expected_parent_id);
    const value = patched(state, input, document);
    const { reason, causes } = input;
    return [revisionDraft(state, { value, parent, reason, causes, document })];
  },

  reply: viewNewRevision,
});
