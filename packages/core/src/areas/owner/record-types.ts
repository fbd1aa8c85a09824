import type { LoggedEvent } from '../../kernel/log/event.ts';
import { type PersistentMap, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { viewAction } from '../actions/schemas.ts';
import { viewRevision } from '../contract/schemas.ts';
import { decisionSeqs, viewDecision, viewWholeDecision } from '../decisions/schemas.ts';
import { findingSeqs, viewFinding, viewWholeFinding } from '../findings/schemas.ts';
import { viewHold } from '../holds/schemas.ts';
import { interventionSeqs, viewIntervention, viewWholeIntervention } from '../interventions/schemas.ts';
import { viewQuestion } from '../questions/schemas.ts';
import { recommendationSeqs, viewRecommendation, viewWholeRecommendation } from '../recommendations/schemas.ts';
import { viewModeratorReview } from '../reviews/moderator-schemas.ts';
import type { SessionState } from '../state.ts';

/** Record types that the owner can read. */
export const RECORD_TYPES = [
  'decision',
  'question',
  'intervention',
  'action',
  'revision',
  'finding',
  'hold',
  'moderator_review',
  'recommendation',
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** Short view of a record for lists, and full view. */
interface OwnerRecord {
  readonly id: string;
  view(): Record<string, unknown>;
  /** Numbers of the stored events from which the full view is built. */
  seqs(): readonly number[];
  whole(loaded: readonly LoggedEvent[]): Record<string, unknown>;
}

/** All records of a type, oldest first. */
export const recordsOf = (state: SessionState, type: RecordType): readonly OwnerRecord[] => SHELVES[type](state);

const SHELVES: Readonly<Record<RecordType, (state: SessionState) => OwnerRecord[]>> = {
  decision: ({ decisions }) =>
    shelf(decisions.all, (one) => one.decisionId, {
      view: viewDecision,
      seqsOf: decisionSeqs,
      whole: viewWholeDecision,
    }),
  question: ({ questions }) => shelf(questions.all, (one) => one.questionId, { view: viewQuestion }),
  intervention: ({ interventions }) =>
    shelf(interventions.all, (one) => one.interventionId, {
      view: (one) => viewIntervention(one, 'owner'),
      seqsOf: interventionSeqs,
      whole: (one, loaded) => viewWholeIntervention(one, 'owner', loaded),
    }),
  action: ({ actions }) => shelf(actions.all, (one) => one.actionId, { view: viewAction }),
  revision: ({ contract }) => shelf(contract.revisions, (one) => one.revisionId, { view: viewRevision }),
  finding: (state) =>
    shelf(state.findings.all, (one) => one.findingId, {
      view: (one) => viewFinding(state, one),
      seqsOf: findingSeqs,
      whole: (one, loaded) => viewWholeFinding(state, one, loaded),
    }),
  hold: ({ holds }) => shelf(holds.all, (one) => one.holdId, { view: viewHold }),
  moderator_review: (state) =>
    shelf(state.moderatorReviews, (one) => one.revisionId, { view: viewModeratorReview(state) }),
  recommendation: ({ recommendations }) =>
    shelf(recommendations.all, (one) => one.recommendationId, {
      view: viewRecommendation,
      seqsOf: recommendationSeqs,
      whole: viewWholeRecommendation,
    }),
};

/** How to list and view the records of a type. */
interface Shown<R> {
  view(record: R): Record<string, unknown>;
  /** Numbers of the stored events that `whole` needs; absent if `whole` needs none. */
  seqsOf?(record: R): readonly number[];
  /** The full view; absent if lists already show everything. */
  whole?(record: R, loaded: readonly LoggedEvent[]): Record<string, unknown>;
}

const shelf = <R>(
  all: PersistentMap<R>,
  idOf: (record: R) => string,
  { view, seqsOf = () => [], whole = view }: Shown<R>,
): OwnerRecord[] =>
  valuesOf(all).map((record) => ({
    id: idOf(record),
    view: () => view(record),
    seqs: () => seqsOf(record),
    whole: (loaded) => whole(record, loaded),
  }));
