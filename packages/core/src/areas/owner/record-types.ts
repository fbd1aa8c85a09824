import { type Table, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { viewAction } from '../actions/schemas.ts';
import { viewRevision } from '../contract/schemas.ts';
import { viewDecision, viewWholeDecision } from '../decisions/schemas.ts';
import { viewFinding, viewWholeFinding } from '../findings/schemas.ts';
import { viewHold } from '../holds/schemas.ts';
import { viewIntervention, viewWholeIntervention } from '../interventions/schemas.ts';
import { viewQuestion } from '../questions/schemas.ts';
import { viewRecommendation } from '../recommendations/schemas.ts';
import { viewModeratorReview } from '../reviews/moderator-schemas.ts';
import type { SessionState } from '../state.ts';

/** Records that the owner reads by their type. */
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

/** A record as lists show it, and whole. */
interface OwnerRecord {
  readonly id: string;
  view(): Record<string, unknown>;
  whole(): Record<string, unknown>;
}

/** All records of a type, oldest first. */
export const recordsOf = (state: SessionState, type: RecordType): readonly OwnerRecord[] => SHELVES[type](state);

const SHELVES: Readonly<Record<RecordType, (state: SessionState) => OwnerRecord[]>> = {
  decision: ({ decisions }) => shelf(decisions.all, (one) => one.decisionId, viewDecision, viewWholeDecision),
  question: ({ questions }) => shelf(questions.all, (one) => one.questionId, viewQuestion),
  intervention: ({ interventions }) =>
    shelf(
      interventions.all,
      (one) => one.interventionId,
      (one) => viewIntervention(one, 'owner'),
      (one) => viewWholeIntervention(one, 'owner'),
    ),
  action: ({ actions }) => shelf(actions.all, (one) => one.actionId, viewAction),
  revision: ({ contract }) => shelf(contract.revisions, (one) => one.revisionId, viewRevision),
  finding: ({ findings }) => shelf(findings.all, (one) => one.findingId, viewFinding, viewWholeFinding),
  hold: ({ holds }) => shelf(holds.all, (one) => one.holdId, viewHold),
  moderator_review: (state) => shelf(state.moderatorReviews, (one) => one.revisionId, viewModeratorReview(state)),
  recommendation: ({ recommendations }) =>
    shelf(recommendations.all, (one) => one.recommendationId, viewRecommendation),
};

type View<R> = (record: R) => Record<string, unknown>;

const shelf = <R>(all: Table<R>, idOf: (record: R) => string, view: View<R>, whole: View<R> = view): OwnerRecord[] =>
  valuesOf(all).map((record) => ({ id: idOf(record), view: () => view(record), whole: () => whole(record) }));
