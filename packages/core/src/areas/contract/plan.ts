import { z } from 'zod';
import type { ReadDocument } from '../../kernel/documents.ts';
import { isCertified } from '../blockers/blockers-of.ts';
import { markdownOf } from '../rendering/any-contract.ts';
import { ReviewView, viewReviews } from '../reviews/schemas.ts';
import type { SessionState } from '../state.ts';
import { validationOf } from './rules.ts';
import {
  REVISION_STATUSES,
  RevisionFields,
  StandingFields,
  statusOfLatest,
  viewRevision,
  viewStanding,
} from './schemas.ts';

/** Spec 2: the latest revision, whole. */
export const PlanView = z.strictObject({
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
  ...StandingFields,
  validator_version: StandingFields.validator_version.nullable(),
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
export function* planStages({ contract: { latest } }: SessionState, document: ReadDocument): Generator<unknown> {
  if (latest) yield markdownOf(latest.contentHash, document(latest.contentHash));
}

export function viewPlan(state: SessionState, document: ReadDocument): z.output<typeof PlanView> {
  const { latest, checked } = state.contract;
  if (!latest) return NOTHING;
  const text = document(latest.contentHash);
  return {
    ...viewRevision(latest),
    status: statusOfLatest(state),
    certified: isCertified(state),
    contract: JSON.parse(text),
    ...viewStanding(checked.validatorVersion, validationOf(state)),
    markdown: markdownOf(latest.contentHash, text),
    reviews: viewReviews(state),
  };
}
