import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { type Agent, type Builder, isBuilder, otherBuilder, partyWords } from '../../kernel/roles.ts';
import {
  doableActionsOf,
  isModeratorsToDo,
  openActionsOf,
  owesReport,
  reportedStage,
  tickedOffActionsOf,
} from '../actions/rules.ts';
import type { Action } from '../actions/state.ts';
import { termsOf } from '../profiles.ts';
import { exhaustedText, isUsedUp, quotaUseOf, stoppingQuota } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import { about, isWaiting, type Task, waiting } from '../task.ts';
import { certificationOf, gateWords, missingGates } from '../verify/certification.ts';
import { agentTasks, type StoppingTask, stoppingTasks } from './agent-tasks.ts';
import { reasonInReadiness } from './build-tasks.ts';
import { planningStep } from './planning-tasks.ts';
import { awaitedReport } from './scenario-tasks.ts';

/**
 * The tasks that an agent can do now, in their order; those of a builder are the items of `verify_next`. While the
 * session is not active, a builder can only answer, acknowledge and complete actions. A used-up quota does not count.
 */
export const tasksDue = memoizeBy(
  (state: SessionState, role: Agent): readonly Task[] => {
    if (state.profile.status === 'ENDED') return [];
    return once(isBuilder(role) ? builderTasks(state, role) : moderatorTasksDue(state));
  },
  (role) => role,
);

/** The tasks of {@link tasksDue} that the agent can do. None if a used-up quota stops the writes of the builder. */
export const callsDue = (state: SessionState, role: Agent): readonly Task[] =>
  isBuilder(role) && stoppingQuota(state, role) ? [] : tasksDue(state, role);

/** The first task of an agent, which its instruction names, or to wait and why. */
export const nextTask = memoizeBy(
  (state: SessionState, role: Agent): Task =>
    callsDue(state, role)[0] ??
    (isBuilder(role)
      ? waiting(role, 'wait_for_my_turn', reasonToWait(state, role))
      : waiting(role, 'wait_for_activity', moderatorsReason(state))),
  (role) => role,
);

/** Leaves out a task that the list already has. */
function once(tasks: readonly Task[]): Task[] {
  const keys = new Set<string>();
  return tasks.filter(({ key }) => !keys.has(key) && keys.add(key));
}

/**
 * Questions and directives come first, then the pending actions, then the work of the phase with the reviews and the
 * answers to findings that block, then the answers to other findings. What the builder has acknowledged and not finished
 * comes last. In CONTRACT, the first blocker comes before the reviews and answers; in the other phases, they come first.
 * Questions of agents are left out while the turn of the builder is due: it answers them.
 */
function builderTasks(state: SessionState, builder: Builder): Task[] {
  const { status, phase } = state.profile;
  const own = agentTasks(state).filter(({ due_to }) => due_to === builder);
  const spoken = (isBegun: boolean, ...codes: readonly Task['code'][]): Task[] =>
    own.filter((task) => codes.includes(task.code) && Boolean(task.isBegun) === isBegun);
  const recorded = recordedTasks(state, builder, own);
  const pending = recorded.pending.filter((task) => !isReviewing(task));
  const reviewing = recorded.pending.filter((task) => isReviewing(task) && !isCaveat(task));
  const work = status === 'ACTIVE' ? workOf(state, builder, own) : [];
  const sameAction = (task: Task): Task => reviewing.find(({ key }) => key === task.key) ?? task;
  return [
    ...spoken(false, 'ANSWER_INTERVENTION', 'ACK_DIRECTIVE'),
    ...(work.some(({ code }) => code === 'POST_TURN') ? [] : spoken(false, 'ANSWER_QUESTION')),
    ...pending,
    ...(phase === 'CONTRACT' ? [...work.map(sameAction), ...reviewing] : [...reviewing, ...work]),
    ...recorded.pending.filter(isCaveat),
    ...spoken(true, 'ANSWER_INTERVENTION'),
    ...recorded.begun,
  ];
}

const isReviewing = ({ code }: Task): boolean => code === 'RESPOND_FINDING' || code === 'REVIEW_REVISION';

/** Whether the task is the answer to a finding that does not block. No other task depends on it. */
export const isCaveat = ({ code, stops }: Task): boolean => code === 'RESPOND_FINDING' && stops === undefined;

/**
 * The tasks of the builder that are recorded as actions, in the order of the actions: the pending ones, and the
 * acknowledged ones together with those that the builder has completed by hand although they are still due.
 */
function recordedTasks(state: SessionState, builder: Builder, own: readonly Task[]) {
  const byKey = new Map(own.map((task) => [task.key, task]));
  const open = openActionsOf(state.actions, builder).filter((action) => isListed(state, action));
  const taskOf = (action: Action, call: Pick<Task, 'tool' | 'payload' | 'text'>): Task => ({
    ...(byKey.get(keyOf(action)) ?? unknownTask(action)),
    ...call,
    action_id: action.action_id,
  });
  const begun = open.filter((action) => action.status !== 'PENDING' && isDoable(state, action));
  const tickedOff = tickedOffActionsOf(state.actions, builder).filter((action) => isDoable(state, action));
  return {
    pending: open
      .filter(({ status }) => status === 'PENDING')
      .map((action) => taskOf(action, pendingCall(state, action))),
    begun: [
      ...begun.map((action) => taskOf(action, begunCall(action))),
      ...tickedOff.map((action) => taskOf(action, tickedOffCall(action))),
    ],
  };
}

const keyOf = ({ obligation, type, due_to, action_id }: Action): string =>
  obligation ?? `${type} ${due_to} ${action_id}`;

/** The task of an action that somebody opened, such as the owner, and that therefore only the action records. */
const unknownTask = (action: Action): Task => ({
  key: keyOf(action),
  code: action.type,
  due_to: action.due_to,
  record: action.about ?? { type: 'action', id: action.action_id },
  text: action.text,
});

/** The tasks whose next call depends on where verification stands. */
const VERIFICATION: readonly Task['code'][] = ['BEGIN_BUILD', 'DECLARE_HANDSHAKE', 'FIX_DEFECT'];

/** Whether the call of the action itself is listed. If not, the work of the phase has another call of the task. */
const isListed = ({ profile }: SessionState, { type }: Action): boolean =>
  type !== 'REPORT_GATES' && (profile.status !== 'ACTIVE' || !VERIFICATION.includes(type));

/** Unless the session is ACTIVE, a builder can do only actions that name no tool. */
const isDoable = ({ profile }: SessionState, { tool }: Action): boolean =>
  profile.status === 'ACTIVE' || tool === undefined;

function pendingCall(state: SessionState, action: Action): Pick<Task, 'tool' | 'payload' | 'text'> {
  const { action_id, type, tool, payload, text } = action;
  if (tool !== undefined && isDoable(state, action))
    return { tool, payload, text: `Action ${action_id} (${type}): ${text}` };
  const how = `Action ${action_id} (${type}) is due from you. Acknowledge it with ack_action, then do what its text in poll_actions says.`;
  return { tool: 'ack_action', payload: { action_id }, text: how };
}

function begunCall({ action_id, type, tool, payload, text }: Action): Pick<Task, 'tool' | 'payload' | 'text'> {
  if (tool !== undefined) return { tool, payload, text: `Action ${action_id} (${type}): ${text}` };
  const how = `Action ${action_id} (${type}) is due from you. Do what its text in poll_actions says, then call complete_action.`;
  return { tool: 'complete_action', payload: { action_id }, text: how };
}

const tickedOffCall = ({ tool, payload, text, action_id }: Action) => ({
  tool,
  payload,
  text: `${text} You completed ${action_id} with complete_action, but this task is still due.`,
});

/** The work of the phase, for a builder of an ACTIVE session. */
function workOf(state: SessionState, builder: Builder, own: readonly Task[]): Task[] {
  const { phase } = state.profile;
  if (phase === 'PLANNING' || phase === 'CONTRACT') {
    const step = phase === 'PLANNING' ? planningStep(state, builder) : contractStep(state, builder);
    return isWaiting(step) ? [] : [step];
  }
  if (!state.manifest.current) return [];
  const codes = phase === 'READINESS' ? IN_READINESS : IN_VERIFY;
  return [
    ...own.filter(({ code }) => codes.includes(code)),
    ...(phase === 'READINESS' ? [] : gateReports(state, builder, own)),
  ];
}

const IN_READINESS: readonly Task['code'][] = ['CLOSE_FINDING', 'CONFIRM_RECEIPTS', 'SUBMIT_READINESS'];
const IN_VERIFY: readonly Task['code'][] = [
  'CLOSE_FINDING',
  'DECLARE_HANDSHAKE',
  'FIX_DEFECT',
  'GIVE_VERDICT',
  'CARRY_PASS',
  'GIVE_EVIDENCE',
  'START_ATTEMPT',
  'RUN_GATE',
];

/**
 * The report on the gates. Left out while a certification check is not met, for example during a hold, because the text
 * tells the builder to roll out.
 */
function gateReports(state: SessionState, builder: Builder, own: readonly Task[]): Task[] {
  if (!owesReport(state, builder) || !certificationOf(state).every(({ ok }) => ok)) return [];
  return own.flatMap((task) => {
    const id = task.code === 'REPORT_GATES' && lookUp(state.actions.inForce, task.key);
    const action = id ? lookUp(state.actions.all, id) : undefined;
    return action ? [{ ...task, ...begunCall(action), action_id: action.action_id }] : [];
  });
}

/** The step of a builder in CONTRACT: the first task that stops certification and that it can do now, or to wait. */
function contractStep(state: SessionState, role: Builder): Task {
  const stopping = stoppingTasks(state);
  const due = stopping.filter((task) => task.due_to === role && isTimely(task));
  const revisions = quotaUseOf(state, role, 'revisions');
  const own = due.find((task) => !isUsedUp(revisions) || !isRevision(task));
  if (own) return { ...own, text: `${own.stops.code} on ${own.stops.record.id}: ${own.stops.text}` };
  const wait = (text: string): Task => waiting(role, 'wait_for_my_turn', text);
  if (due.length > 0) return wait(exhaustedText(revisions));
  const { latest } = state.contract;
  if (stopping.length === 0) return wait(`Wait for the owner to approve ${latest?.revision_id}, which is certified.`);
  const other = stopping.find(isTimely);
  if (!other) return wait(waitForModerator(state, role));
  const { code, record } = other.stops;
  return wait(
    `Wait for ${partyWords(other.due_to)} to remove the blocker ${code} on ${record.id}.${acceptWords(other)}`,
  );
}

/** After a request for changes, tells the reviewer that the author proposes the new positions. Empty for other tasks. */
const acceptWords = ({ stops: { code }, due_to }: StoppingTask): string =>
  code === 'CHANGES_REQUESTED'
    ? ` As Contract Author, ${due_to} proposes the new positions: accept or reject them with accept_decision and reject_decision.`
    : '';

/**
 * The text that tells a builder to wait for the moderator's review. It tells the Contract Author also how long to wait,
 * because the moderator might never answer.
 */
function waitForModerator({ contract: { latest }, election }: SessionState, role: Builder): string {
  const wait = `Wait for the moderator to review ${latest?.revision_id}.`;
  return role === election.contract_author
    ? `${wait} After three waits without news, review it yourself with submit_final_review (POST final-review): the moderator can still object.`
    : wait;
}

const REVISIONS: readonly Task['code'][] = ['WRITE_CONTRACT', 'REVISE_CONTRACT', 'CORRECT_CONTRACT'];
const isRevision = ({ code }: Task): boolean => REVISIONS.includes(code);

/** Whether this builder must submit another revision before the contract can be certified. */
export const owesRevision = (state: SessionState, role: Builder): boolean =>
  state.profile.phase === 'CONTRACT' && stoppingTasks(state).some((task) => task.due_to === role && isRevision(task));

/** Whether the task can be done now. A task with `waits_for` cannot be done yet. */
const isTimely = ({ stops }: StoppingTask): boolean => stops.waits_for === undefined;

function reasonToWait(state: SessionState, role: Builder): string {
  const exhausted = stoppingQuota(state, role);
  if (exhausted) return exhaustedText(exhausted);
  const { status, phase } = state.profile;
  if (status === 'DRAFT') return 'Wait for the owner to start the session.';
  if (status === 'PAUSED')
    return 'The owner paused the session. Wait until the owner resumes it; you can still read and answer.';
  if (phase === 'PLANNING') return planningStep(state, role).text;
  if (phase === 'CONTRACT') return contractStep(state, role).text;
  if (phase === 'READINESS') return reasonInReadiness(state, role);
  return reasonInVerify(state, (other) => tasksDue(state, other)[0], role);
}

/**
 * The tasks of the moderator: the pending actions, then the unread events, then completed actions whose tasks are still
 * due, then what only the moderator can do before the certification. If a used-up quota stops its writes, it waits after
 * the unread events.
 */
function moderatorTasksDue(state: SessionState): Task[] {
  const pending = doableActionsOf(state, 'moderator').map((action) =>
    moderatorTask(action, action.tool ?? 'complete_action', dueText(action)),
  );
  const { ackedCursor, fromOthers } = state.feed;
  const unread = fromOthers > ackedCursor ? [readEvents(ackedCursor, fromOthers)] : [];
  if (stoppingQuota(state, 'moderator')) return [...pending, ...unread];
  const owed = tickedOffActionsOf(state.actions, 'moderator').filter((action) => isModeratorsToDo(state, action));
  return [
    ...pending,
    ...unread,
    ...owed.map((action) => moderatorTask(action, action.tool, tickedOffCall(action).text)),
    ...heldUp(state),
  ];
}

const moderatorTask = (action: Action, tool: string | undefined, text: string): Task => ({
  ...unknownTask(action),
  tool,
  payload: action.payload,
  text,
  action_id: action.action_id,
});

const readEvents = (acked: number, last: number): Task => ({
  ...about('READ_EVENTS', 'moderator', { type: 'event', id: String(last) }),
  tool: 'ack_events',
  text: `Read the events after ${acked} with wait_for_activity (GET events), then acknowledge them with ack_events up to ${last}.`,
});

/** What stops certification in CONTRACT, if only the moderator can remove it. Else all roles would wait for each other. */
function heldUp(state: SessionState): Task[] {
  const { status, phase } = state.profile;
  const stopping = stoppingTasks(state);
  if (status !== 'ACTIVE' || phase !== 'CONTRACT' || stopping.some(({ due_to }) => due_to !== 'moderator')) return [];
  return stopping.map((task) => {
    const { code, record, text } = task.stops;
    return { ...task, text: `${code} on ${record.id}: ${text}` };
  });
}

function moderatorsReason(state: SessionState): string {
  const exhausted = stoppingQuota(state, 'moderator');
  if (exhausted) return exhaustedText(exhausted);
  const isLater = openActionsOf(state.actions, 'moderator').length > 0;
  return `Nothing is due from you. Wait for the next event.${isLater ? ' Your pending actions must wait until the owner resumes the session.' : ''}`;
}

/** The text of an action for the moderator. That of an OWNER_TASK is left out, because the owner wrote it. */
const dueText = ({ action_id, type, text }: Action): string =>
  type === 'OWNER_TASK'
    ? `Action ${action_id} (${type}) is due from you. Do what its text in pending_actions says, then call complete_action.`
    : text;

/**
 * Why a builder that has no task in VERIFY and RELEASE waits.
 * @param firstOf returns the first task of the other builder
 */
function reasonInVerify(state: SessionState, firstOf: (other: Builder) => Task | undefined, role: Builder): string {
  const open = certificationOf(state).find(({ ok }) => !ok);
  if (!open) return waitForOwner(state);
  const other = firstOf(otherBuilder(role));
  const awaited = other ? '' : awaitedReport(state, role);
  if (awaited) return `Wait. ${awaited}`;
  const why = other
    ? `The next call is that of ${otherBuilder(role)}: ${callOf(other)}${subjectOf(state, other, role)}`
    : `The certification check ${open.check} does not hold yet, and no call of yours can change that`;
  return `Wait. ${why}.`;
}

const callOf = ({ tool = '', code }: Task): string =>
  code === 'CARRY_PASS' ? `${tool} with the verdict CARRY, or a rerun` : tool;

/** What a call of the other builder is about, in ids, such as ", for the owner's task act_9". Empty if no record is named. */
function subjectOf({ actions, interventions, questions }: SessionState, task: Task, reader: Builder): string {
  const { code, scenario_id, record, payload = {} } = task;
  const action = lookUp(actions.all, String(payload.action_id ?? ''));
  if (action) return `, for ${action.type === 'OWNER_TASK' ? "the owner's task" : 'action'} ${action.action_id}`;
  const intervention = lookUp(interventions.all, record.id);
  if (intervention)
    return `, for ${intervention.type.toLowerCase()} ${intervention.intervention_id} of the ${intervention.from}`;
  const question = lookUp(questions.all, record.id);
  if (question?.from === reader) return `, for your question ${question.question_id}`;
  if (question) return `, for question ${question.question_id} of ${question.from}`;
  if (code === 'FIX_DEFECT') return `, for defect ${record.id}`;
  if (record.type === 'finding') return `, for finding ${record.id}`;
  return scenario_id === undefined ? '' : `, for scenario ${scenario_id}`;
}

function waitForRelease(state: SessionState): string {
  const missing = missingGates(state, 'activation');
  return missing.length > 0
    ? `Wait for the runs of the gates ${gateWords(missing).join(', ')}.`
    : 'Every certification check holds. Wait for the owner to release, which ends the session.';
}

function waitForOwner(state: SessionState): string {
  if (termsOf(state).releasesAtOnce && !state.manifest.activation_authorized) return waitForRelease(state);
  switch (reportedStage(state)) {
    case 'activation':
      return 'The activation is authorized. Wait for the owner to end the session.';
    case 'deployment':
      return 'The deployment is authorized. Wait for the owner to authorize the activation.';
    default:
      return 'Every certification check holds. Wait for the owner to authorize the deployment.';
  }
}
