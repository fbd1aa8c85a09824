import type { z } from 'zod';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { type Action, type ActionView, viewAction } from '../actions/state.ts';
import { termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import type { Task } from '../task.ts';
import { reportTextForOwner } from './build-tasks.ts';

/** The texts for the owner about a task of an agent. They name no tool, because the owner cannot call the tools of agents. */
interface TaskText {
  /** The task in words that follow "has to" in a sentence. */
  readonly words: (task: Task) => string;
  /** The same without the record, if `words` names it. */
  readonly short?: (task: Task) => string;
  /** The text of the action that records the task. Absent if its own text names no tool. */
  readonly action?: (state: SessionState, action: Action) => string;
}

const named =
  (words: string) =>
  ({ record }: Task): string =>
    `${words} ${record.id}`;
const plain = (words: string) => () => words;
const recordOf = ({ payload = {}, about }: Action, member: string): string =>
  String(payload[member] ?? about?.id ?? '');

const REVISION: TaskText = { words: plain('submit a revision of the contract') };
const ACTION: TaskText = { words: plain('complete a task') };

/** By the code of a task: its texts for the owner. */
const TASK_TEXT: Readonly<Record<Task['code'], TaskText>> = {
  START: { words: plain('start the session') },
  WAIT: { words: plain('wait') },
  READ_EVENTS: { words: plain('read the events') },
  ANSWER_QUESTION: { words: named('answer question'), short: plain('answer a question') },
  ANSWER_INTERVENTION: { words: named('answer'), short: plain('answer a question or a directive') },
  ACK_DIRECTIVE: { words: named('acknowledge directive'), short: plain('acknowledge a directive') },
  POST_TURN: { words: plain('post its turn') },
  ACCEPT_DECISION: { words: named('accept or reject'), short: plain('accept or reject a decision') },
  NOMINATE: { words: plain('nominate a Contract Author') },
  WRITE_CONTRACT: REVISION,
  REVISE_CONTRACT: REVISION,
  CORRECT_CONTRACT: { words: plain('correct the contract') },
  MAP_REQUIREMENTS: { words: plain('map the requirements to the contract') },
  REVIEW_REVISION: {
    words: named('review'),
    short: plain('review the latest revision'),
    action: (_, action) => `Review ${recordOf(action, 'revision_id')}, and give a verdict on exactly this revision.`,
  },
  RESPOND_FINDING: { words: named('answer finding'), short: plain('answer a finding') },
  CLOSE_FINDING: { words: named('close its finding'), short: plain('close a finding that it raised') },
  RELEASE_HOLD: { words: named('release hold'), short: plain('release a hold') },
  ASSESS_RESPONSE: {
    words: named('close its finding'),
    action: (_, action) =>
      `Read the response to finding ${recordOf(action, 'finding_id')}, and resolve the finding if the response is sufficient.`,
  },
  CHECK_ANSWER: { ...ACTION, action: checkText },
  OWNER_TASK: ACTION,
  ADVISE_DEPLOYMENT: {
    words: plain('advise you on the deployment'),
    action: (state) => {
      const step = termsOf(state).releasesAtOnce ? 'release' : 'deployment';
      return `Advise you whether to authorize the ${step}, and say what you should know before it. You can authorize the ${step} without this advice.`;
    },
  },
  CONFIRM_RECEIPTS: {
    words: ({ tool }) => (tool === 'confirm_receipt' ? 'confirm its artifacts' : 'read its artifacts and confirm them'),
    action: plain('Read the artifacts of the manifest, and confirm each of them.'),
  },
  SUBMIT_READINESS: {
    words: plain('answer the readiness questions'),
    action: plain('Answer the readiness questions, and report whether the build can begin.'),
  },
  CONFIRM_ANSWERS: {
    ...ACTION,
    action: plain('Read the readiness answers of the other agent, and dispute or confirm them.'),
  },
  BEGIN_BUILD: {
    ...ACTION,
    action: plain('The build is authorized: build.'),
  },
  BUILD_TASK: ACTION,
  DECLARE_HANDSHAKE: {
    words: ({ isBuilding }) => `${isBuilding ? 'build, then ' : ''}declare the commit that runs on its side`,
    action: plain('When the service of this builder runs, declare the commit of the service.'),
  },
  FIX_DEFECT: {
    words: ({ fixes, record: { id } }) => (fixes === undefined ? `mark ${id} fixed` : `fix ${id}, on a new commit`),
    short: ({ fixes }) => (fixes === undefined ? 'mark a defect fixed' : 'declare the commit that runs on its side'),
  },
  GIVE_VERDICT: { words: named('judge the attempt of scenario'), short: plain('judge an attempt') },
  CARRY_PASS: {
    words: ({ record: { id } }) => `carry over the stale pass of scenario ${id}, or leave it to a rerun`,
    short: plain('judge an attempt'),
  },
  GIVE_EVIDENCE: {
    words: named('give evidence of the attempt of scenario'),
    short: plain('give evidence of an attempt'),
  },
  START_ATTEMPT: { words: named('run scenario'), short: plain('run a scenario') },
  RUN_GATE: { words: named('run the command for gate'), short: plain('run the command for a gate') },
  REPORT_GATES: {
    ...ACTION,
    action: (state, action) =>
      reportTextForOwner(state, action.obligation?.endsWith(' activation') ? 'activation' : 'deployment'),
  },
};

/** The action CHECK_ANSWER, with the agent whose answer it is about. */
function checkText({ interventions }: SessionState, { about, opened_for }: Action): string {
  const asked = lookUp(interventions.all, about?.id ?? '');
  const [by] = Object.entries(asked?.responses ?? {}).flatMap(([role, { seq }]) => (seq === opened_for ? [role] : []));
  return `Check the answer ${by === undefined ? '' : `of ${by} `}to question ${about?.id}.`;
}

/** An action in words for the owner. */
export const viewOwnerAction =
  (state: SessionState) =>
  (action: Action): z.output<typeof ActionView> => {
    const view = viewAction(action);
    return { ...view, text: TASK_TEXT[action.type].action?.(state, action) ?? view.text };
  };

/** A task of an agent in words for the owner that follow "has to" in a sentence, without its record. */
export const shortTask = (task: Task): string =>
  task.tool === 'ack_action' ? 'acknowledge a task' : (TASK_TEXT[task.code].short ?? TASK_TEXT[task.code].words)(task);

/** A task of an agent in words for the owner: the text of its action if the call completes or acknowledges the action. */
export function taskForOwner(state: SessionState, task: Task | undefined): string {
  if (!task) return 'take its next step';
  const { action_id, payload = {}, due_to } = task;
  const action =
    action_id !== undefined && (due_to === 'moderator' || payload.action_id !== undefined)
      ? lookUp(state.actions.all, action_id)
      : undefined;
  return action ? `${action_id}: ${viewOwnerAction(state)(action).text}` : TASK_TEXT[task.code].words(task);
}
