import { entries, lookUp } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import { otherBuilder } from '../../kernel/roles.ts';
import { ACTION_TYPES } from '../actions/events.ts';
import type { Action } from '../actions/state.ts';
import type { SessionDraft } from '../catalog.ts';
import { currentReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import type { Task } from '../task.ts';
import { adviceTask, buildTasks, contractTaskTasks, readinessTasks, reportTasks, verifyTasks } from './build-tasks.ts';
import { assessments, contractTasks, reviewTasks } from './contract-tasks.ts';
import { planningTasks } from './planning-tasks.ts';

/**
 * Everything that the agents have to do in a state, and what the owner has to do before the contract can be certified.
 * Each task once: the tasks that stop certification in the order in which they must be done, then the others. The turn that a
 * builder posts next is not a task of the state: `planningStep` names it, because the instruction alone asks for it.
 */
export const agentTasks = memoizeBy((state: SessionState): readonly Task[] => [
  ...planningTasks(state),
  ...contractTasks(state),
  ...reviewTasks(state),
  ...readinessTasks(state),
  ...buildTasks(state),
  ...verifyTasks(state),
  ...reportTasks(state),
  ...assessments(state),
  ...adviceTask(state),
  ...contractTaskTasks(state),
]);

/** A task that stops certification. */
export type StoppingTask = Task & Required<Pick<Task, 'stops'>>;

const isStopping = (task: Task): task is StoppingTask => task.stops !== undefined;

/**
 * The tasks that stop certification, in the order in which they must be done. A missing review that is not due yet says
 * in `waits_for` who must act first: if the Technical Reviewer has not reviewed yet, the author waits for that reviewer.
 * Otherwise a review waits for the role of the first task that is due.
 */
export const stoppingTasks = memoizeBy((state: SessionState): readonly StoppingTask[] => {
  const tasks = agentTasks(state).filter(isStopping);
  const isDue = ({ stops, action }: StoppingTask): boolean => stops.code !== 'REVIEW_MISSING' || action !== undefined;
  const first = tasks.find(isDue)?.due_to ?? 'moderator';
  const { contract_author: author } = state.election;
  const reviewer = author && otherBuilder(author);
  return tasks.map((task) => {
    if (isDue(task)) return task;
    const waits_for = task.due_to === author && reviewer && !currentReview(state, reviewer) ? reviewer : first;
    return { ...task, stops: { ...task.stops, waits_for } };
  });
});

export const isCertified = (state: SessionState): boolean =>
  state.contract.latest !== null && stoppingTasks(state).length === 0;

/** The events that open an action for each new task, and that complete the actions whose tasks have ended. */
export function settleTasks(state: SessionState): SessionDraft[] {
  const due = state.profile.status === 'ENDED' ? [] : agentTasks(state).filter(({ action }) => action !== undefined);
  const { inForce, all } = state.actions;
  const fresh = due.filter(({ key }) => lookUp(inForce, key) === undefined);
  const opened = fresh.flatMap((task, index) => openedDrafts(task, `act_${all.size + index + 1}`));
  const keys = new Set(due.map(({ key }) => key));
  const met = entries(inForce).flatMap(([key, id]) => (keys.has(key) ? [] : (lookUp(all, id) ?? [])));
  return [...opened, ...met.map(fulfilledDraft)];
}

function openedDrafts({ key, code, due_to, action }: Task, action_id: string): SessionDraft[] {
  const type = ACTION_TYPES.find((each) => each === code);
  if (!type || !action || due_to === 'owner') return [];
  const { text, tool, payload, about } = action;
  const data = {
    action_id,
    due_to,
    type,
    text,
    tool,
    payload: tool === 'complete_action' ? { action_id, ...payload } : payload && { ...payload },
    about,
    obligation: key,
  };
  return [{ kind: 'action.opened', data, actor: 'system' }];
}

const fulfilledDraft = ({ action_id, due_to }: Action): SessionDraft => ({
  kind: 'action.fulfilled',
  data: { action_id, due_to },
  actor: 'system',
});
