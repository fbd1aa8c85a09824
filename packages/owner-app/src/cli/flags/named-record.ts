/** The member of an operation's input that names one record, and an id for the example in the help. */
interface NamedRecord {
  readonly member: string;
  readonly sample: string;
}

/** The operations on one record, whose commands accept the id of the record after the session. */
export const NAMED_RECORDS: ReadonlyMap<string, NamedRecord> = new Map([
  ['answerQuestion', { member: 'question_id', sample: 'q_3' }],
  ['overrideFinding', { member: 'finding_id', sample: 'f_3' }],
  ['releaseHold', { member: 'hold_id', sample: 'h_1' }],
  ['waiveDefect', { member: 'defect_id', sample: 'def_1' }],
  ['reassignDefect', { member: 'defect_id', sample: 'def_1' }],
  ['respondRecommendation', { member: 'recommendation_id', sample: 'rec_1' }],
  ['withdrawIntervention', { member: 'intervention_id', sample: 'i_1' }],
]);
