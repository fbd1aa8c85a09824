import type { LoggedEvent } from '../../kernel/log/event.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { isRecord, parseOrNull } from '../../kernel/text/json-value.ts';
import { ID_TYPES } from '../../kernel/text/readable.ts';
import { viewRevision } from '../contract/rules.ts';
import { memberPath, valueAtPointer } from '../document/json-pointer.ts';
import { findingSeqs, viewFinding, viewFollowup, viewHold, viewWholeFinding } from '../findings/rules.ts';
import {
  interventionSeqs,
  recommendationSeqs,
  viewIntervention,
  viewRecommendation,
  viewWholeIntervention,
  viewWholeRecommendation,
} from '../interventions/rules.ts';
import { decisionSeqs, viewOwnerDecision, viewWholeOwnerDecision } from '../planning/decisions.ts';
import { viewQuestion } from '../planning/state.ts';
import { viewModeratorReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { viewOwnerAction } from '../tasks/task-text.ts';
import { viewDefect } from '../verify/schemas.ts';
import { followupsOf } from './followups.ts';

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
  'followup',
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** An example of an id for each prefix, as one text: `d_1, q_1, …`. */
export const KNOWN_IDS = Object.keys(ID_TYPES)
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
    recordsIn(valuesOf(decisions.all), (one) => one.decision_id, {
      view: (one) => viewOwnerDecision(decisions, one),
      seqsOf: decisionSeqs,
      whole: (one, loaded) => viewWholeOwnerDecision(decisions, one, loaded),
    }),
  question: ({ questions }) => recordsIn(valuesOf(questions.all), (one) => one.question_id, { view: viewQuestion }),
  intervention: ({ interventions }) =>
    recordsIn(valuesOf(interventions.all), (one) => one.intervention_id, {
      view: (one) => viewIntervention(one, 'owner'),
      seqsOf: interventionSeqs,
      whole: (one, loaded) => viewWholeIntervention(one, 'owner', loaded),
    }),
  action: (state) => recordsIn(valuesOf(state.actions.all), (one) => one.action_id, { view: viewOwnerAction(state) }),
  revision: ({ contract }) => recordsIn(valuesOf(contract.revisions), (one) => one.revision_id, { view: viewRevision }),
  finding: (state) =>
    recordsIn(valuesOf(state.findings.all), (one) => one.finding_id, {
      view: (one) => viewFinding(state, one),
      seqsOf: findingSeqs,
      whole: (one, loaded) => viewWholeFinding(state, one, loaded),
    }),
  hold: ({ holds }) => recordsIn(valuesOf(holds.all), (one) => one.hold_id, { view: viewHold }),
  moderator_review: (state) =>
    recordsIn(valuesOf(state.moderatorReviews), (one) => one.revision_id, { view: viewModeratorReview(state) }),
  recommendation: ({ recommendations }) =>
    recordsIn(valuesOf(recommendations.all), (one) => one.recommendation_id, {
      view: viewRecommendation,
      seqsOf: recommendationSeqs,
      whole: viewWholeRecommendation,
    }),
  defect: ({ verify }) => recordsIn(valuesOf(verify.defects), (one) => one.defect_id, { view: viewDefect }),
  followup: (state) => recordsIn(followupsOf(state), (one) => one.followup_id, { view: viewFollowup }),
};

interface Shown<R> {
  view(record: R): Record<string, unknown>;
  /** Numbers of the stored events that `whole` needs. Absent if it needs none. */
  seqsOf?(record: R): readonly number[];
  /** Makes the full view of a record. Absent if lists show the full view already. */
  whole?(record: R, loaded: readonly LoggedEvent[]): Record<string, unknown>;
}

const recordsIn = <R>(
  all: readonly R[],
  idOf: (record: R) => string,
  { view, seqsOf = () => [], whole = view }: Shown<R>,
): OwnerRecord[] =>
  all.map((record) => ({
    id: idOf(record),
    view: () => view(record),
    seqs: () => seqsOf(record),
    whole: (loaded) => whole(record, loaded),
  }));

/** The lists of a contract whose items have ids, and the type of the items in each list. */
const LISTS = {
  tasks: 'task',
  interfaces: 'interface',
  tests: 'test',
  gates: 'gate',
  data_models: 'data_model',
  risks: 'risk',
  safety_conditions: 'safety_condition',
} as const;

export const ITEM_TYPES = Object.values(LISTS);

/** An item of a contract that has an id, such as a task. */
export interface ContractItem {
  readonly type: (typeof ITEM_TYPES)[number];
  readonly id: string;
  readonly pointer: string;
  readonly item: Readonly<Record<string, unknown>>;
}

/**
 * The items of a contract that have ids, also in a contract that breaks its schema.
 * @param contract the stored JSON text of a revision
 */
export function contractItems(contract: string): ContractItem[] {
  const whole = parseOrNull(contract);
  return Object.entries(LISTS).flatMap(([list, type]) => {
    const items = isRecord(whole) && Object.hasOwn(whole, list) ? whole[list] : [];
    return (Array.isArray(items) ? items : []).flatMap((item, index) =>
      isRecord(item) && typeof item.id === 'string'
        ? [{ type, id: item.id, item, pointer: memberPath(`/${list}`, index) }]
        : [],
    );
  });
}

export const contractItem = (contract: string, id: string): ContractItem | undefined =>
  contractItems(contract).find((item) => item.id === id);

/**
 * The value at a JSON Pointer in a contract. Undefined if the contract has no value there.
 * @param contract the stored JSON text of a revision
 */
export const valueAt = (contract: string, pointer: string): unknown =>
  pointer.startsWith('/') ? valueAtPointer(parseOrNull(contract), pointer) : undefined;

/** Whether a text names the record with this id, as a whole word: `def_12` does not name `def_1`. */
export const namesRecord = (text: string | null, id: string): boolean =>
  text !== null && new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(text);
