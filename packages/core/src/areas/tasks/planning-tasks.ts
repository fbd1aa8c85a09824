import { messagesAfter } from '../../kernel/log/event-catalog.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { BUILDERS, type Builder, otherBuilder } from '../../kernel/roles.ts';
import { openResponses } from '../interventions/rules.ts';
import type { Intervention } from '../interventions/state.ts';
import { acceptancesDue } from '../planning/decisions.ts';
import { MAX_ITEMS } from '../planning/fields.ts';
import { followerInSplit, hasConverged, hasTurnsLeft, nextAgent, openQuestionsTo } from '../planning/rules.ts';
import type { Decision, Question } from '../planning/state.ts';
import type { SessionState } from '../state.ts';
import { about, type QuietTask, type Task, waiting } from '../task.ts';
import { firstRevision } from './contract-tasks.ts';

/** The tasks to start the session, and to elect the author. */
export function* electionTasks({ election, profile }: SessionState): Generator<QuietTask> {
  if (profile.status === 'DRAFT') {
    const text = 'Invite both agents, then start the session.';
    const record = { type: 'session', id: 'start' };
    const message = 'The session has not been started yet.';
    const call = { tool: 'start', payload: {} };
    const stops = { code: 'NOT_STARTED' as const, record, message, text };
    yield { ...about('START', 'owner', record), ...call, text, stops };
    return;
  }
  if (election.contract_author !== null) return;
  const split = followerInSplit(election);
  const nominated = BUILDERS.find((builder) => election.nominations[builder]);
  const follower = split?.follower ?? (nominated ? otherBuilder(nominated) : profile.first_turn);
  const candidate = split?.candidate ?? (nominated && election.nominations[nominated]?.candidate);
  const text = `Nominate ${candidate ? `${candidate} too` : 'a Contract Author'} with elect_contract_author, and give your reason.`;
  const task = nomination(follower, text, candidate);
  const message = split ? 'The two nominations name different builders.' : 'No Contract Author is elected yet.';
  yield { ...task, stops: { code: 'NO_CONTRACT_AUTHOR', record: task.record, message, text } };
}

/** The tasks to accept or reject decisions. */
export function* acceptanceTasks({ decisions }: SessionState): Generator<QuietTask> {
  for (const builder of BUILDERS)
    for (const decision of acceptancesDue(decisions, builder)) yield acceptance(decision, builder);
}

const nomination = (due_to: Builder, text: string, candidate = '<agent_a or agent_b>'): QuietTask => ({
  ...about('NOMINATE', due_to, { type: 'session', id: 'contract_author' }),
  tool: 'elect_contract_author',
  payload: { candidate, reason: '<your reason>' },
  text,
});

/** Computed once for a decision, because a state with another decision asks for the tasks of all that are open. */
const acceptance = memoizeBy(
  ({ decision_id: id }: Decision, due_to: Builder): QuietTask => {
    const record = { type: 'decision', id };
    const text = `Decision ${id} waits for you. Accept it with accept_decision, reject it with reject_decision, or withdraw it with withdraw_decision if you proposed it.`;
    return {
      ...about('ACCEPT_DECISION', due_to, record),
      tool: 'accept_decision',
      payload: { decision_id: id },
      text,
      stops: {
        code: 'DECISION_OPEN',
        record,
        message: `Decision ${id} is proposed, and ${due_to} has not accepted it yet.`,
        text: `Accept decision ${id} with accept_decision, reject it with reject_decision, or withdraw it if you proposed it.`,
      },
    };
  },
  (due_to) => due_to,
);

/** The step of a builder in PLANNING: a task, or to wait. The first of the four functions that returns a step decides. */
export const planningStep = (state: SessionState, role: Builder): Task =>
  electionStep(state, role) ?? turnStep(state, role) ?? acceptanceStep(state, role) ?? nominationStep(state, role);

const wait = (role: Builder, text: string): Task => waiting(role, 'wait_for_my_turn', text);

/**
 * The nomination of a builder. Names the candidate of the other builder, if that builder has nominated one. A builder that
 * the other has nominated writes the contract: its submission is its nomination.
 */
function ownNomination({ election }: SessionState, role: Builder, why: string): Task {
  const candidate = election.nominations[otherBuilder(role)]?.candidate;
  if (candidate !== role) return nomination(role, `${why}: nominate a Contract Author.`, candidate);
  const task = firstRevision(role);
  return { ...task, text: `${why}. ${task.text} That nominates you too; elect_contract_author nominates without it.` };
}

/**
 * The step of a builder in PLANNING if the owner has chosen the author: after the discussion, the author submits the first
 * revision. Undefined before, so that turns come first.
 */
function stepWithAuthor(state: SessionState, role: Builder, author: Builder): Task | undefined {
  if (hasTurnsLeft(state) && !hasConverged(state)) return undefined;
  const open = acceptanceStep(state, role);
  if (open) return open;
  return role === author
    ? firstRevision(author)
    : wait(role, `Wait for the Contract Author, ${author}, to submit the contract.`);
}

/**
 * The step of a builder if the last turns of both builders say `converged`, or if the builders have nominated different
 * candidates. Undefined otherwise, so that turns come first.
 */
function electionStep(state: SessionState, role: Builder): Task | undefined {
  const { election } = state;
  if (election.contract_author !== null) return stepWithAuthor(state, role, election.contract_author);
  const split = followerInSplit(election);
  if (split?.follower === role) {
    const whom = split.candidate === role ? `yourself (${role})` : split.candidate;
    const text = `The nominations differ, and yours is the later one: nominate ${whom} too${hasTurnsLeft(state) ? ', or discuss the author in your next turn' : ''}.`;
    return nomination(role, text, split.candidate);
  }
  if (split)
    return (
      turnStep(state, role) ??
      acceptanceStep(state, role) ??
      wait(
        role,
        'The nominations differ. Wait for the other agent, which nominated later and is asked to nominate your candidate too.',
      )
    );
  if (!hasConverged(state)) return undefined;
  const open = acceptanceStep(state, role);
  if (open)
    return {
      ...open,
      text: `Both agents have converged, and decision ${open.record.id} waits for you. Accept it with accept_decision, or reject it with reject_decision.`,
    };
  if (!election.nominations[role]) {
    const candidate = election.nominations[otherBuilder(role)]?.candidate;
    const standing = candidate ? `, and the other agent has nominated ${candidate === role ? 'you' : candidate}` : '';
    return ownNomination(state, role, `Both agents have converged${standing}`);
  }
  const turn = turnStep(state, role);
  if (!turn) return wait(role, 'You have nominated a Contract Author. Wait for the other agent to nominate.');
  return {
    ...turn,
    payload: { ...turn.payload, converged: true },
    text: `You have nominated a Contract Author, and it is your turn (turn ${turn.record.id}): post it with post_turn and converged: true. A turn without it takes up the discussion again, and nobody is asked to nominate.`,
  };
}

function turnStep(state: SessionState, role: Builder): Task | undefined {
  if (nextAgent(state) !== role) return undefined;
  const { count } = state.turns;
  return {
    ...about('POST_TURN', role, { type: 'turn', id: String(count) }),
    tool: 'post_turn',
    payload: { summary: '<what you found and propose>', ...answersTo(state, role) },
    text: `It is your turn (turn ${count}): ${hasToRead(state, role) ? 'read new messages with read_messages, then ' : ''}post your turn with post_turn.${withTurn(state, role)}${count < 2 && hasTopics(state) ? ' The agenda of read_task names topics to decide.' : ''}`,
  };
}

/** The open questions to the builder, which its turn answers. */
function answersTo({ questions }: SessionState, role: Builder) {
  const answers = openQuestionsTo(questions, role)
    .slice(0, MAX_ITEMS)
    .map(({ question_id }) => ({ question_id, answer: ANSWER }));
  return answers.length > 0 ? { answers } : {};
}

/** Whether another has written since the first message, which tells that the session has started. */
function hasToRead({ transcript }: SessionState, role: Builder): boolean {
  const [first = 0] = messagesAfter(transcript, role, 0, 1);
  return transcript.latest[role].fromOthers > first;
}

const hasTopics = ({ profile: { agenda } }: SessionState): boolean => (agenda?.topics ?? []).length > 0;

/** What the builder can send in the turn instead of calls of their own. Empty in the first turn. */
function withTurn({ questions, decisions, election, turns }: SessionState, role: Builder): string {
  const isAsked = openQuestionsTo(questions, role).length + acceptancesDue(decisions, role).length > 0;
  const answers = isAsked ? ' Its answers take your answers to questions and decisions.' : '';
  const isOpen = turns.count > 0 && !election.nominations[role];
  return `${answers}${isOpen ? ' If all is decided, add converged: true and nominates.' : ''}`;
}

function acceptanceStep({ decisions }: SessionState, role: Builder): Task | undefined {
  const [open] = acceptancesDue(decisions, role);
  return open && acceptance(open, role);
}

function nominationStep(state: SessionState, role: Builder): Task {
  if (hasTurnsLeft(state)) return wait(role, `Wait: it is the turn of the other agent.${withoutTurn(state)}`);
  if (state.election.nominations[role])
    return wait(
      role,
      'No turns are left, and you have nominated a Contract Author. Wait for the other agent to nominate.',
    );
  return ownNomination(state, role, 'No turns are left');
}

/** Tells the builder that does not begin what it can do before the first turn. Empty after the first turn. */
const withoutTurn = ({ turns: { count } }: SessionState): string =>
  count > 0
    ? ''
    : ' Meanwhile read your repository. You need no turn to ask with answer_question, or to propose with submit_decision.';

/** The open questions of the agents, to each other and to the owner. */
export function* questionTasks({ questions }: SessionState): Generator<QuietTask> {
  for (const id of questions.open) {
    const question = lookUp(questions.all, id);
    if (question) yield questionTask(question);
  }
}

const ANSWER = '<your answer>';

function questionTask({ question_id: id, from, to, text, blocking }: Question): QuietTask {
  const record = { type: 'question', id };
  const task: QuietTask = {
    ...about('ANSWER_QUESTION', to, record),
    ...(to === 'owner'
      ? { tool: 'answerQuestion', payload: { question_id: id, text: ANSWER } }
      : { tool: 'answer_question', payload: { question_id: id, answer: ANSWER } }),
    text: `Question ${id} of ${from} waits for your answer: send it with answer_question.`,
    said: { from, text },
  };
  if (!blocking) return task;
  const message = `The blocking question ${id} is not answered yet.`;
  return { ...task, stops: { code: 'QUESTION_UNANSWERED', record, message, text: `Answer question ${id}.` } };
}

/**
 * The tasks of the builders about questions and directives of the owner and the moderator: to answer a question, and to
 * acknowledge a directive, which an answer does too.
 */
export function* interventionTasks({ interventions }: SessionState): Generator<Task> {
  for (const { intervention, target, status } of openResponses(interventions)) {
    const { intervention_id, type, from, text } = intervention;
    const code = type === 'QUESTION' ? 'ANSWER_INTERVENTION' : 'ACK_DIRECTIVE';
    const due = {
      ...about(code, target, { type: 'intervention', id: intervention_id }),
      said: { from, text: text ?? '' },
    };
    if (type === 'QUESTION') yield { ...answerTask(intervention, due), isBegun: status === 'ACKNOWLEDGED' };
    else if (status === 'OPEN') yield acknowledgement(intervention, due);
  }
}

type Due = Pick<Task, 'key' | 'code' | 'due_to' | 'record' | 'said'>;

function answerTask({ intervention_id: id, from, blocking }: Intervention, due: Due): Task {
  const task: Task = {
    ...due,
    tool: 'answer_intervention',
    payload: { intervention_id: id, text: ANSWER },
    text: `Question ${id} of the ${from} waits for your answer: send it with answer_intervention.`,
  };
  if (!blocking) return task;
  const message = `Question ${id} is not answered by ${due.due_to} yet.`;
  const text = `Answer question ${id} with answer_intervention.`;
  return { ...task, stops: { code: 'INTERVENTION_UNANSWERED', record: due.record, message, text } };
}

function acknowledgement({ intervention_id: id, from }: Intervention, due: Due): Task {
  const call = { tool: 'ack_intervention', payload: { intervention_id: id } };
  return {
    ...due,
    ...call,
    text: `Directive ${id} of the ${from} binds you. Acknowledge it with ack_intervention, or in acknowledged_directives of your turn, and follow it. If you have something to say about it, call answer_intervention instead: that acknowledges it too.`,
    action: { ...call, text: `Acknowledge directive ${id} of the ${from}.` },
    stops: {
      code: 'DIRECTIVE_UNACKNOWLEDGED',
      record: due.record,
      message: `Directive ${id} is not acknowledged by ${due.due_to} yet.`,
      text: `Acknowledge directive ${id} with ack_intervention.`,
    },
  };
}
