import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { forMember } from '../../kernel/operation/input.ts';
import { isBuilder } from '../../kernel/roles.ts';
import { requireLatest, revisionOf } from '../contract/rules.ts';
import { FindingId, LongText, RevisionId, text } from '../fields.ts';
import { caveatFindings } from '../findings/rules.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { MODERATOR_VERDICTS, REVIEW_VERDICTS } from './events.ts';
import { FindingOutcomes, findingDraft, isResolvedSo, NewFindings, resolutionDrafts } from './raising.ts';
import {
  currentModeratorReview,
  currentReview,
  Dimension,
  GivenReviewView,
  viewGivenReviews,
  viewModeratorReview,
} from './rules.ts';
import { type ModeratorReview, ModeratorReviewView } from './state.ts';

/**
 * Spec 4.3. Lists the latest review of each revision, or the review of the revision that the caller names. If the
 * answer cannot contain all reviews, it lists the newest.
 */
export const getContractReview = defineOperation({
  name: 'get_contract_review',
  summary: 'Read all your contract reviews, or only the review of revision_id.',
  rest: 'GET moderator/reviews/list',
  access: { moderator: true },
  input: z.strictObject({ revision_id: RevisionId.optional(), ...PAGE_INPUT }),
  output: z.strictObject({ reviews: z.array(ModeratorReviewView), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reply(state, { revision_id, after }) {
    const { shown, leftOut } = listed({
      records: reviewsOf(state, revision_id),
      view: viewModeratorReview(state),
      isCurrent: () => false,
      idOf: ({ revision_id }) => revision_id,
      tool: 'get_contract_review',
      after,
    });
    return { reviews: shown, ...leftOut };
  },
});

function reviewsOf(state: SessionState, revisionId: string | undefined): ModeratorReview[] {
  if (revisionId === undefined) return valuesOf(state.moderatorReviews);
  const review = lookUp(state.moderatorReviews, revisionOf(state, revisionId).revision_id);
  return review ? [review] : [];
}

/** Spec 4.3. Stores the moderator's review, which replaces its earlier review of the same revision. */
export const submitContractReview = defineOperation({
  name: 'submit_contract_review',
  summary: 'Review the latest revision. REQUEST_CHANGES blocks its approval until your next review.',
  rest: 'POST moderator/reviews',
  access: { moderator: 'review' },
  phases: ['CONTRACT'],
  input: z.strictObject({
    revision_id: RevisionId,
    content_hash: text(100),
    verdict: z.enum(MODERATOR_VERDICTS).describe('COMMENT neither approves nor blocks.'),
    summary: LongText,
    dimensions: z
      .array(Dimension)
      .max(20)
      .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'Names a dimension twice.'),
  }),
  output: z.strictObject({ review: ModeratorReviewView.pick({ revision_id: true, verdict: true, outdated: true }) }),
  errors: ['UNKNOWN_RECORD', 'STALE_REVISION', 'HASH_MISMATCH'],

  decide(state, { revision_id, content_hash, verdict, summary, dimensions }) {
    requireLatest(state, revision_id, content_hash);
    const standing = currentModeratorReview(state);
    const isSame =
      standing?.override_reason === null &&
      JSON.stringify([standing.verdict, standing.summary, standing.dimensions]) ===
        JSON.stringify([verdict, summary, dimensions]);
    const data = { revision_id, content_hash, verdict, summary, dimensions };
    return isSame ? [] : [{ kind: 'moderator_review.submitted', data }];
  },

  reply(state, { revision_id }) {
    const review = lookUp(state.moderatorReviews, revision_id);
    const { verdict, outdated } = viewModeratorReview(state)(
      review ?? fail('INTERNAL', 'The review was stored, but the state does not contain it.'),
    );
    return { review: { revision_id, verdict, outdated } };
  },
});

/** Spec 4.2. Stores a builder's review of the latest revision. Both builders must review. */
export const submitFinalReview = defineOperation({
  name: 'submit_final_review',
  summary: 'Give your verdict on the latest revision.',
  rest: 'POST final-review',
  access: { builder: 'submit_final_review' },
  phases: ['CONTRACT'],
  input: z.strictObject({
    revision_id: RevisionId,
    content_hash: text(100),
    verdict: z.enum(REVIEW_VERDICTS),
    caveats: z.array(text(2_000)).max(50).optional().describe('What must change; APPROVE opens a finding for each.'),
    findings: NewFindings.optional(),
    resolved: FindingOutcomes.optional(),
  }),
  output: z.strictObject({
    reviews: z.array(GivenReviewView),
    finding_ids: z.array(FindingId).optional().describe('Of the new findings.'),
    certified: z.boolean(),
    blockers: z.int().describe('How many blockers of certification are left.'),
  }),
  errors: [
    'UNKNOWN_RECORD',
    'STALE_REVISION',
    'HASH_MISMATCH',
    'NOT_TECHNICAL_REVIEWER',
    'NOT_RAISER',
    'FINDING_CLOSED',
  ],

  decide(state, { revision_id, content_hash, verdict, caveats = [], findings = [], resolved = [] }, { role: by }) {
    requireLatest(state, revision_id, content_hash);
    const closed = resolved.flatMap((outcome, index) =>
      isResolvedSo(state, outcome, by)
        ? []
        : forMember(`resolved[${index}].finding_id`, () => resolutionDrafts(state, outcome, by)),
    );
    const raised = findings.map((finding, pending) =>
      forMember(`findings[${pending}]`, () => findingDraft(state, finding, { by, pending })),
    );
    const own = isBuilder(by) ? currentReview(state, by) : undefined;
    const isSame = own?.verdict === verdict && JSON.stringify(own.caveats) === JSON.stringify(caveats);
    if (isSame) return [...closed, ...raised];
    const place = { by, pending: raised.length };
    const opened = verdict === 'APPROVE' ? caveatFindings(state.findings, place, caveats) : undefined;
    const data = { revision_id, content_hash, verdict, caveats, findings: opened };
    return [...closed, ...raised, { kind: 'review.submitted', data }];
  },

  reply(state, { findings }, { events }) {
    const { length } = stoppingTasks(state);
    const raised = events.flatMap(({ kind, data }) =>
      kind === 'finding.raised' ? [String(Object(data).finding_id)] : [],
    );
    const ids = findings && { finding_ids: raised };
    return { reviews: viewGivenReviews(state), ...ids, certified: length === 0, blockers: length };
  },
});
