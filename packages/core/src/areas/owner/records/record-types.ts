import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { type PersistentMap, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import { viewRevision } from '../../contract/schemas.ts';
import { viewOwnerDecision, viewWholeOwnerDecision } from '../../decisions/replacement.ts';
import { decisionSeqs } from '../../decisions/schemas.ts';
import { findingSeqs, viewFinding, viewWholeFinding } from '../../findings/schemas.ts';
import { viewHold } from '../../holds/schemas.ts';
import { interventionSeqs, viewIntervention, viewWholeIntervention } from '../../interventions/schemas.ts';
import { viewQuestion } from '../../questions/schemas.ts';
import { recommendationSeqs, viewRecommendation, viewWholeRecommendation } from '../../recommendations/schemas.ts';
import { viewModeratorReview } from '../../reviews/moderator-schemas.ts';
import type { SessionState } from '../../state.ts';
import { viewOwnerAction } from '../../tasks/task-text.ts';
import { viewDefect } from '../../verify/schemas.ts';

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
  'defect',
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** The type of record for each prefix of an id. Reviews of the moderator are missing here, because they have no ids. */
const TYPE_OF_PREFIX: Readonly<Record<string, RecordType>> = {
  d: 'decision',
  q: 'question',
  f: 'finding',
  i: 'intervention',
  act: 'action',
  r: 'revision',
  h: 'hold',
  rec: 'recommendation',
  def: 'defect',
};

/** The type of the record with an id such as `d_12`. Undefined if no type has such ids. */
export function typeOfId(id: string): RecordType | undefined {
  const [, prefix = ''] = /^([a-z]+)_[1-9]\d{0,8}$/.exec(id) ?? [];
  return Object.hasOwn(TYPE_OF_PREFIX, prefix) ? TYPE_OF_PREFIX[prefix] : undefined;
}

/** An example of an id for each prefix, as one text: `d_1, q_1, …`. */
export const KNOWN_IDS = Object.keys(TYPE_OF_PREFIX)
  .map((prefix) => `${prefix}_1`)
  .join(', ');

interface OwnerRecord {
  readonly id: string;
  view(): Record<string, unknown>;
  /** Numbers of the stored events that `whole` needs. */
  seqs(): readonly number[];
  whole(loaded: readonly LoggedEvent[]): Record<string, unknown>;
}

export const recordsOf = (state: SessionState, type: RecordType): readonly OwnerRecord[] =>
  RECORDS_BY_TYPE[type](state);

const RECORDS_BY_TYPE: Readonly<Record<RecordType, (state: SessionState) => OwnerRecord[]>> = {
  decision: ({ decisions }) =>
    recordsIn(decisions.all, (one) => one.decision_id, {
      view: (one) => viewOwnerDecision(decisions, one),
      seqsOf: decisionSeqs,
      whole: (one, loaded) => viewWholeOwnerDecision(decisions, one, loaded),
    }),
  question: ({ questions }) => recordsIn(questions.all, (one) => one.question_id, { view: viewQuestion }),
  intervention: ({ interventions }) =>
    recordsIn(interventions.all, (one) => one.intervention_id, {
      view: (one) => viewIntervention(one, 'owner'),
      seqsOf: interventionSeqs,
      whole: (one, loaded) => viewWholeIntervention(one, 'owner', loaded),
    }),
  action: (state) => recordsIn(state.actions.all, (one) => one.action_id, { view: viewOwnerAction(state) }),
  revision: ({ contract }) => recordsIn(contract.revisions, (one) => one.revision_id, { view: viewRevision }),
  finding: (state) =>
    recordsIn(state.findings.all, (one) => one.finding_id, {
      view: (one) => viewFinding(state, one),
      seqsOf: findingSeqs,
      whole: (one, loaded) => viewWholeFinding(state, one, loaded),
    }),
  hold: ({ holds }) => recordsIn(holds.all, (one) => one.hold_id, { view: viewHold }),
  moderator_review: (state) =>
    recordsIn(state.moderatorReviews, (one) => one.revision_id, { view: viewModeratorReview(state) }),
  recommendation: ({ recommendations }) =>
    recordsIn(recommendations.all, (one) => one.recommendation_id, {
      view: viewRecommendation,
      seqsOf: recommendationSeqs,
      whole: viewWholeRecommendation,
    }),
  defect: ({ verify }) => recordsIn(verify.defects, (one) => one.defect_id, { view: viewDefect }),
};

interface Shown<R> {
  view(record: R): Record<string, unknown>;
  /** Numbers of the stored events that `whole` needs. Absent if it needs none. */
  seqsOf?(record: R): readonly number[];
  /** Makes the full view of a record. Absent if lists show the full view already. */
  whole?(record: R, loaded: readonly LoggedEvent[]): Record<string, unknown>;
}

const recordsIn = <R>(
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
