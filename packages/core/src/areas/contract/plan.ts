import { z } from 'zod';
import type { ReadDocument } from '../../kernel/documents.ts';
import type { ReplyContext } from '../../kernel/operation.ts';
import { isCertified } from '../blockers/blockers-of.ts';
import { NoInput } from '../fields.ts';
import { markdownOf } from '../rendering/revision-markdown.ts';
import { ReviewView, viewReviews } from '../reviews/schemas.ts';
import type { SessionState } from '../state.ts';
import { validationOf } from './rules.ts';
import {
  REVISION_STATUSES,
  RevisionFields,
  statusOfLatest,
  ValidationViewFields,
  viewRevision,
  viewValidation,
} from './schemas.ts';

/** Spec 2: the latest revision, whole. */
const PlanView = z.strictObject({
  revision_id: RevisionFields.revision_id.nullable(),
  parent_id: RevisionFields.parent_id,
  content_hash: RevisionFields.content_hash.nullable(),
  title: RevisionFields.title.nullable(),
  bytes: RevisionFields.bytes.nullable(),
  author: RevisionFields.author.nullable(),
  reason: RevisionFields.reason.nullable(),
  created_at: RevisionFields.created_at.nullable(),
  status: z.enum(REVISION_STATUSES).nullable(),
  certified: z.boolean(),
  contract: z.record(z.string(), z.unknown()).nullable(),
  ...ValidationViewFields,
  validator_version: ValidationViewFields.validator_version.nullable(),
  markdown: z.string().nullable(),
  reviews: z.array(ReviewView).describe("Each builder's latest review; outdated when it is of an earlier revision."),
});

const NOTHING = {
  revision_id: null,
  parent_id: null,
  content_hash: null,
  title: null,
  bytes: null,
  author: null,
  reason: null,
  created_at: null,
  status: null,
  certified: false,
  contract: null,
  validator_version: null,
  validation_errors: [],
  validation_warnings: [],
  error_count: 0,
  warning_count: 0,
  markdown: null,
  reviews: [],
};

export const latestDocument = ({ contract: { latest } }: SessionState): string[] =>
  latest ? [latest.contentHash] : [];

/** The heavy part of the view. */
function* planStages({ contract: { latest } }: SessionState, document: ReadDocument): Generator<unknown> {
  if (latest) yield markdownOf(latest.contentHash, document(latest.contentHash));
}

function viewPlan(state: SessionState, document: ReadDocument): z.output<typeof PlanView> {
  const { latest, checked } = state.contract;
  if (!latest) return NOTHING;
  const text = document(latest.contentHash);
  return {
    ...viewRevision(latest),
    status: statusOfLatest(state),
    certified: isCertified(state),
    contract: JSON.parse(text),
    ...viewValidation(checked.validatorVersion, validationOf(state)),
    markdown: markdownOf(latest.contentHash, text),
    reviews: viewReviews(state),
  };
}

/** What get_final_plan and the owner's plan have in common: all but name and access. */
export const planParts = {
  summary: 'Read the latest contract revision: hash, contract, validation, rendered Markdown and both reviews.',
  input: NoInput,
  output: PlanView,
  errors: [],
  documents: latestDocument,
  stages: (state: SessionState, _input: unknown, _caller: unknown, document: ReadDocument) =>
    planStages(state, document),
  reply: (state: SessionState, _input: unknown, { document }: Pick<ReplyContext, 'document'>) =>
    viewPlan(state, document),
};
