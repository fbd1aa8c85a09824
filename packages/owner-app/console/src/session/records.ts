import type { SessionView } from '../api/answers.ts';

export const BUILDERS = ['agent_a', 'agent_b'] as const;
export type Builder = (typeof BUILDERS)[number];
export type Intervention = SessionView['interventions'][number];
export type Question = SessionView['questions'][number];
type Action = SessionView['actions'][number];

interface SortedInterventions {
  /** Questions that wait for an answer, and directives that are not withdrawn. The latest is first. */
  readonly open: readonly Intervention[];
  readonly past: readonly Intervention[];
}

/**
 * Divides interventions into open and past interventions. A question is past when all its targets have answered it. Any
 * intervention is past when it is withdrawn. The text of a withdrawn intervention is null.
 */
export function sortInterventions(interventions: readonly Intervention[]): SortedInterventions {
  const isOver = ({ text, type, status }: Intervention): boolean =>
    text === null || status === 'WITHDRAWN' || (type === 'QUESTION' && status === 'ANSWERED');
  const latest = interventions.toReversed();
  return { open: latest.filter((item) => !isOver(item)), past: latest.filter(isOver) };
}

interface SortedQuestions {
  /** Open questions to the owner, blocking questions first. */
  readonly forOwner: readonly Question[];
  readonly betweenAgents: readonly Question[];
  readonly answered: readonly Question[];
}

export function sortQuestions(questions: readonly Question[]): SortedQuestions {
  const open = questions.filter(({ status }) => status === 'OPEN');
  const forOwner = open.filter(({ to }) => to === 'owner');
  return {
    forOwner: [...forOwner.filter(({ blocking }) => blocking), ...forOwner.filter(({ blocking }) => !blocking)],
    betweenAgents: open.filter(({ to }) => to !== 'owner'),
    answered: questions.filter(({ status }) => status === 'ANSWERED').toReversed(),
  };
}

/** The actions that the agents have not completed yet, oldest first. */
export const dueActions = (actions: readonly Action[]): Action[] =>
  actions.filter(({ status }) => status !== 'COMPLETED');

/** A question or directive that the owner is writing. */
export interface Draft {
  readonly type: Intervention['type'];
  readonly targets: readonly SessionView['agents'][number]['role'][];
  readonly text: string;
  readonly blocking: boolean;
  readonly priority: Intervention['priority'];
}

export const EMPTY_DRAFT: Draft = {
  type: 'QUESTION',
  targets: ['agent_a', 'agent_b'],
  text: '',
  blocking: false,
  priority: 'NORMAL',
};

/**
 * Returns the operation and the input for a draft. The input of a directive has no member `blocking`, because every
 * directive blocks until it is acknowledged.
 */
export const callFor = ({ type, targets, text, blocking, priority }: Draft) =>
  type === 'QUESTION'
    ? { operation: 'ask' as const, input: { targets: [...targets], text, blocking, priority } }
    : { operation: 'direct' as const, input: { targets: [...targets], text, priority } };

type Turns = Pick<SessionView['state'], 'phase' | 'next_agent' | 'turn_index' | 'round_limit'>;

/** Whether the round limit prevents further turns in a phase in which the builders take turns. */
export const isOutOfRounds = ({ phase, next_agent, turn_index, round_limit }: Turns): boolean =>
  (phase === 'PLANNING' || phase === 'CONTRACT') && next_agent === null && turn_index >= 2 * round_limit;

type Opening = Pick<SessionView['state'], 'status' | 'phase' | 'turn_index'>;

/** Whether the owner can still change which builder posts the first turn. */
export const isBeforeFirstTurn = ({ status, phase, turn_index }: Opening): boolean =>
  status === 'ACTIVE' && phase === 'PLANNING' && turn_index === 0;

export type Decision = SessionView['decisions'][number];

/** The latest decision on a topic, and the decisions that it has superseded, latest first. */
export interface Chain {
  readonly decision: Decision;
  readonly earlier: readonly Decision[];
}

const ORDER: readonly Decision['status'][] = ['PROPOSED', 'RESOLVED', 'REJECTED', 'WITHDRAWN', 'SUPERSEDED'];

/**
 * Groups decisions into chains, so that each decision is in one chain. The chains are sorted by the status of their
 * latest decision, in the order of `ORDER`. Among chains with the same status, the chain with the newest decision is
 * first.
 */
export function chainsOf(decisions: readonly Decision[]): Chain[] {
  const byId = new Map(decisions.map((decision) => [decision.decision_id, decision]));
  const replaced = new Set(decisions.map(({ supersedes }) => supersedes));
  const earlierThan = ({ supersedes }: Decision): Decision[] => {
    const earlier = byId.get(supersedes ?? '');
    return earlier ? [earlier, ...earlierThan(earlier)] : [];
  };
  return decisions
    .filter(({ decision_id }) => !replaced.has(decision_id))
    .map((decision) => ({ decision, earlier: earlierThan(decision) }))
    .toReversed()
    .toSorted((a, b) => ORDER.indexOf(a.decision.status) - ORDER.indexOf(b.decision.status));
}
