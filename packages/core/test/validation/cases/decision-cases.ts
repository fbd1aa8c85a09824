type Status = 'PROPOSED' | 'RESOLVED' | 'WITHDRAWN' | 'REJECTED' | 'SUPERSEDED';

interface DecisionCase {
  readonly with: string;
  /** Ids of the decisions that the contract names. */
  readonly named: readonly string[];
  /** Status of each decision of the session, by id. */
  readonly statuses: Readonly<Record<string, Status>>;
  /** The topics of the agenda, each with the id of its RESOLVED decision. */
  readonly topics?: readonly { readonly topic: string; readonly decision_id: string | null }[];
  /** The decisions that texts of the contract cite. */
  readonly cited?: readonly { readonly id: string; readonly pointer: string }[];
  readonly at: readonly string[];
}

type DecisionCases = Readonly<
  Record<string, { readonly severity: 'error' | 'warning'; readonly cases: readonly DecisionCase[] }>
>;

export const decisionCases: DecisionCases = {
  UNKNOWN_DECISION: {
    severity: 'error',
    cases: [
      {
        with: 'ids that were never given',
        named: ['d_1', 'd_9', 'constructor'],
        statuses: { d_1: 'RESOLVED' },
        at: ['/decisions/1', '/decisions/2'],
      },
      { with: 'one that is known', named: ['d_1'], statuses: { d_1: 'PROPOSED' }, at: [] },
    ],
  },
  DECISION_NOT_RESOLVED: {
    severity: 'error',
    cases: [
      {
        with: 'every other status',
        named: ['d_5', 'd_1', 'd_2', 'd_3', 'd_4'],
        statuses: { d_1: 'PROPOSED', d_2: 'WITHDRAWN', d_3: 'REJECTED', d_4: 'SUPERSEDED', d_5: 'RESOLVED' },
        at: ['/decisions/1', '/decisions/2', '/decisions/3', '/decisions/4'],
      },
      { with: 'an unknown one, which is said otherwise', named: ['d_9'], statuses: {}, at: [] },
    ],
  },
  AGENDA_TOPIC_OPEN: {
    severity: 'warning',
    cases: [
      {
        with: 'a topic without a resolved decision, and one whose decision the contract does not name',
        named: ['d_1'],
        statuses: { d_1: 'RESOLVED', d_2: 'RESOLVED' },
        topics: [
          { topic: 'Keys', decision_id: 'd_1' },
          { topic: 'Retries', decision_id: null },
          { topic: 'Errors', decision_id: 'd_2' },
        ],
        at: ['/decisions', '/decisions'],
      },
      { with: 'no agenda', named: ['d_1'], statuses: { d_1: 'RESOLVED' }, at: [] },
    ],
  },
  INACTIVE_DECISION_CITED: {
    severity: 'warning',
    cases: [
      {
        with: 'each status that is not active',
        named: ['d_5'],
        statuses: { d_1: 'PROPOSED', d_2: 'WITHDRAWN', d_3: 'REJECTED', d_4: 'SUPERSEDED', d_5: 'RESOLVED' },
        cited: ['d_1', 'd_2', 'd_3', 'd_4', 'd_5'].map((id) => ({ id, pointer: `/risks/${id}` })),
        at: ['/risks/d_2', '/risks/d_3', '/risks/d_4'],
      },
      {
        with: 'an id that was never given',
        named: [],
        statuses: {},
        cited: [{ id: 'd_9', pointer: '/summary' }],
        at: [],
      },
    ],
  },
  RESOLVED_DECISION_OMITTED: {
    severity: 'error',
    cases: [
      {
        with: 'two left out',
        named: ['d_2'],
        statuses: { d_1: 'RESOLVED', d_2: 'RESOLVED', d_3: 'RESOLVED' },
        at: ['/decisions', '/decisions'],
      },
      { with: 'an open one left out', named: ['d_1'], statuses: { d_1: 'RESOLVED', d_2: 'PROPOSED' }, at: [] },
    ],
  },
};
