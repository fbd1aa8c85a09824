import { type Message, textIn } from '../../../../src/transcript/message.ts';
import type { SessionView } from '../../api/types.ts';

export type Intervention = SessionView['interventions'][number];
export type Question = SessionView['questions'][number];
export type Action = SessionView['actions'][number];

/** What was withdrawn: an answered directive does not tell by its own status. */
export const withdrawnIn = (events: readonly Message[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ kind, body }) => (kind === 'intervention.withdrawn' ? [textIn(body, 'intervention_id')] : [])),
  );

export interface SortedInterventions {
  /** In force: questions that wait for an answer, directives that bind. The latest first. */
  readonly open: readonly Intervention[];
  readonly past: readonly Intervention[];
}

/** A question is over once all have answered it, a directive once it is withdrawn. */
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
  /** The blocking ones first. */
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

/** What agents still have to do, the oldest first. */
export const dueActions = (actions: readonly Action[]): Action[] =>
  actions.filter(({ status }) => status !== 'COMPLETED');

/** Something the owner is about to say to agents. */
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

/** The call that says it: a directive always blocks until it is acknowledged, so it has no `blocking`. */
export const callFor = ({ type, targets, text, blocking, priority }: Draft) =>
  type === 'QUESTION'
    ? { operation: 'ask', input: { targets, text, blocking, priority } }
    : { operation: 'direct', input: { targets, text, priority } };

type Turns = Pick<SessionView['state'], 'phase' | 'next_agent' | 'turn_index' | 'round_limit'>;

/** Whether turns would be due, were there any left. */
export const isOutOfRounds = ({ phase, next_agent, turn_index, round_limit }: Turns): boolean =>
  (phase === 'PLANNING' || phase === 'CONTRACT') && next_agent === null && turn_index >= 2 * round_limit;
