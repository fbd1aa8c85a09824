import { fail } from '../../kernel/errors.ts';
import { keysOf, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { isStopped } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import type { Action } from './schemas.ts';
import type { Actions } from './state.ts';

/**
 * Returns the action if it is due from the role. Refuses an action of another role with the same error as an unknown
 * id.
 */
export function actionDueTo(actions: Actions, id: string, role: Role): Action {
  const action = lookUp(actions.all, id);
  if (action?.due_to === role) return action;
  return fail('UNKNOWN_RECORD', `You have no action ${id}.`, { record: { type: 'action', id } });
}

/**
 * The event that opens an action for the moderator after an agent has answered a question of the moderator. Only
 * `complete_action` closes this action, because no other call shows that the moderator has read the answer.
 */
export const checkAnswerDraft = ({ all }: Actions, interventionId: string, answeredBy: Role): SessionDraft => ({
  kind: 'action.opened',
  data: {
    action_id: `act_${all.size + 1}`,
    due_to: 'moderator',
    type: 'CHECK_ANSWER',
    text: `Check the answer of ${answeredBy} to question ${interventionId} with get_moderator_questions, then call complete_action.`,
    about: { type: 'intervention', id: interventionId },
  },
  actor: 'system',
});

export function refuseClosed({ action_id, status }: Action): void {
  if (status === 'COMPLETED') fail('ACTION_CLOSED', `Action ${action_id} is completed already.`, { status });
}

/** The PENDING and ACKNOWLEDGED actions of a role, oldest first, including the actions for tasks of the build. */
export const openActionsAndTasksOf = ({ all, open }: Actions, role: Role): Action[] =>
  keysOf(open).flatMap((id) => {
    const action = lookUp(all, id);
    return action?.due_to === role ? [action] : [];
  });

/**
 * The PENDING and ACKNOWLEDGED actions of a role, oldest first. Actions for tasks of the build are left out, because a
 * builder need not complete them.
 */
export const openActionsOf = (actions: Actions, role: Role): Action[] =>
  openActionsAndTasksOf(actions, role).filter(({ type }) => type !== 'BUILD_TASK');

const pendingActionsOf = (actions: Actions, role: Role): Action[] =>
  openActionsOf(actions, role).filter(({ status }) => status === 'PENDING');

/** Whether the action asks for an answer to a finding that does not block. */
export const isOptional = (state: SessionState, { type, payload }: Action): boolean =>
  type === 'RESPOND_FINDING' && isCaveatId(state, payload?.finding_id);

/** Whether a value is the id of a finding that does not block. */
const isCaveatId = ({ findings }: SessionState, id: unknown): boolean =>
  typeof id === 'string' && lookUp(findings.all, id)?.blocking === false;

/** The PENDING actions that the role can complete now. None if a used-up quota stops the writes of the agent. */
export function doableActionsOf(state: SessionState, role: Role): Action[] {
  if (role !== 'owner' && isStopped(state, role)) return [];
  return pendingActionsOf(state.actions, role).filter(
    (action) => role !== 'moderator' || isModeratorsToDo(state, action),
  );
}

/**
 * Whether the moderator can complete the action now. Before the session starts, the action must name no tool. During a
 * pause, the action must name no tool or a tool of `WORKS_IN_PAUSE`.
 */
export const isModeratorsToDo = ({ profile: { status } }: SessionState, { tool }: Action): boolean => {
  if (status === 'ACTIVE') return true;
  if (status === 'ENDED' || tool === undefined) return status !== 'ENDED';
  return status === 'PAUSED' && WORKS_IN_PAUSE.includes(tool);
};

const WORKS_IN_PAUSE: readonly string[] = ['resolve_finding', 'recommend_to_owner'];

/**
 * The actions that the role has completed with `complete_action` although their obligations remain. Each obligation
 * ends when the role calls the tool that the action names.
 */
export const tickedOffActionsOf = ({ all, inForce }: Actions, role: Role): Action[] =>
  valuesOf(inForce).flatMap((id) => {
    const action = lookUp(all, id);
    if (action?.due_to !== role || action.status !== 'COMPLETED' || action.settled_at !== null) return [];
    return action.tool === undefined || action.tool === 'complete_action' ? [] : [action];
  });
