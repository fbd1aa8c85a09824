import { type Message, textIn } from '../../../../src/transcript/message.ts';
import type { SessionView } from '../../api/types.ts';

export type Intervention = SessionView['interventions'][number];
export type Question = SessionView['questions'][number];
export type Action = SessionView['actions'][number];

/**
 * The ids of withdrawn interventions, read from the events, because an answered directive keeps its status when it is
 * withdrawn.
 */
export const withdrawnIn = (events: readonly Message[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ kind, body }) => (kind === 'intervention.withdrawn' ? [textIn(body, 'intervention_id')] : [])),
  );

export interface SortedInterventions {
  /** Questions that wait for an answer, and directives in force; the latest first. */
  readonly open: readonly Intervention[];
  readonly past: readonly Intervention[];
}

/**
 * Divides interventions into open and past ones. A question is past once all have answered it, a directive once it is
 * withdrawn.
 */
export function sortInterventions(
  interventions: readonly Intervention[],
  withdrawn: ReadonlySet<string>,
): SortedInterventions {
  const isOver = ({ intervention_id, type, status }: Intervention): boolean =>
    withdrawn.has(intervention_id) || status === 'WITHDRAWN' || (type === 'QUESTION' && status === 'ANSWERED');
  const latest = interventions.toReversed();
  return { open: latest.filter((item) => !isOver(item)), past: latest.filter(isOver) };
}

export interface SortedQuestions {
  /** Open questions to the owner; blocking ones come first. */
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
  readonly targets: readonly string[];
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
 * The operation and the input with which a draft is sent. A directive has no member `blocking`, because every directive blocks
 * until it is acknowledged.
 */
export const callFor = ({ type, targets, text, blocking, priority }: Draft) =>
  type === 'QUESTION'
    ? { operation: 'ask', input: { targets, text, blocking, priority } }
    : { operation: 'direct', input: { targets, text, priority } };

type Turns = Pick<SessionView['state'], 'phase' | 'next_agent' | 'turn_index' | 'round_limit'>;

/** Whether the session is in a phase with turns, but no round is left for another turn. */
export const isOutOfRounds = ({ phase, next_agent, turn_index, round_limit }: Turns): boolean =>
  (phase === 'PLANNING' || phase === 'CONTRACT') && next_agent === null && turn_index >= 2 * round_limit;
