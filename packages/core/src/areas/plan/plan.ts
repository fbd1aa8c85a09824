import { z } from 'zod';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { ReadDocument, ReplyContext } from '../../kernel/operation/operation.ts';
import { REVISION_STATUSES, statusOfLatest } from '../blockers/revision-status.ts';
import { RevisionFields } from '../contract/record.ts';
import { validationOf } from '../contract/rules.ts';
import { listValidation, ValidationViewFields, viewRevision } from '../contract/schemas.ts';
import { decidedTexts } from '../decisions/rules.ts';
import { markdownOf } from '../rendering/contract/revision-markdown.ts';
import { ReviewView } from '../reviews/record.ts';
import { listReviews } from '../reviews/schemas.ts';
import type { SessionState } from '../state.ts';
import { isCertified } from '../tasks/agent-tasks.ts';
import { contractTexts, PIECE_FIELDS, PieceInput } from './contract-texts.ts';

/** Spec 2. All members of the latest revision. */
export const PlanView = z.strictObject({
  revision_id: RevisionFields.revision_id.nullable(),
  parent_id: RevisionFields.parent_id,
  content_hash: RevisionFields.content_hash.nullable(),
  title: RevisionFields.title.nullable(),
  bytes: RevisionFields.bytes.nullable(),
  author: RevisionFields.author.nullable(),
  reason: RevisionFields.reason.nullable(),
  causes: RevisionFields.causes,
  created_at: RevisionFields.created_at.nullable(),
  status: z.enum(REVISION_STATUSES).nullable(),
  certified: z.boolean(),
  ...ValidationViewFields,
  validator_version: ValidationViewFields.validator_version.nullable(),
  ...PIECE_FIELDS,
  reviews: z.array(ReviewView).describe("Each builder's latest review; outdated when it concerns an earlier revision."),
  ...LEFT_OUT,
});
documented.add(PlanView, { id: 'Plan' });

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
  latest ? [latest.content_hash] : [];

/** Renders the Markdown of the contract, which is the expensive step of this view. */
function* precomputePlan(state: SessionState, document: ReadDocument): Generator<unknown> {
  const { latest } = state.contract;
  if (latest)
    yield markdownOf(latest.content_hash, document(latest.content_hash), decidedIn(state, latest.revision_id));
}

/**
 * Texts of the decisions that a revision names. Empty for an earlier revision, because the state contains only the
 * outline of the latest revision.
 */
export const decidedIn = ({ decisions, contract: { outline, latest } }: SessionState, revisionId: string) =>
  revisionId === latest?.revision_id ? decidedTexts(decisions, outline?.decisions ?? []) : [];

/** Maximum size of the validation and the reviews in the answer, in bytes as `costOf` counts them. */
const BESIDE_CONTRACT_COST = 300_000;

/** The members that the operations `get_final_plan` and `plan` share. Each of the two adds its name and its access. */
export const planParts = {
  summary: 'Read the latest revision: contract, hash, validation, reviews.',
  input: PieceInput,
  output: PlanView,
  errors: [],
  documents: latestDocument,
  precompute: (state: SessionState, _input: z.output<typeof PieceInput>, _caller: unknown, document: ReadDocument) =>
    precomputePlan(state, document),
};

/**
 * Makes the function `reply` of an operation that shows the latest revision.
 * @param tool name of the operation that the answer names as the call for the next page
 * @param maxCost maximum size of the whole answer, in bytes as `costOf` counts them
 */
export const planReply =
  (tool: string, maxCost: number) =>
  (
    state: SessionState,
    input: z.output<typeof PieceInput>,
    { document }: Pick<ReplyContext, 'document'>,
  ): z.output<typeof PlanView> => {
    const { latest, checked } = state.contract;
    if (!latest) return NOTHING;
    const lists = boundedLists(BESIDE_CONTRACT_COST);
    const validation = listValidation(lists, checked.validator_version, validationOf(state));
    const reviews = listReviews(lists, state);
    const rest = {
      ...viewRevision(latest),
      status: statusOfLatest(state),
      certified: isCertified(state),
      ...validation(),
      reviews: reviews(),
    };
    const hash = latest.content_hash;
    const call = `Call ${tool} with`;
    const decided = decidedIn(state, latest.revision_id);
    const texts = contractTexts(lists, { hash, document, decided, input, rest, call, maxCost });
    return { ...rest, ...texts, ...lists.leftOut() };
  };
