import type { SessionView } from '../../api/types.ts';

export type Intervention = SessionView['interventions'][number];
export type Question = SessionView['questions'][number];
export type Action = SessionView['actions'][number];

export interface SortedInterventions {
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

export interface SortedQuestions {
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
