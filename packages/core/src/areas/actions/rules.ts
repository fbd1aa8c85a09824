import { fail } from '../../kernel/errors.ts';
import { keysOf, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { isStopped } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import type { Action, Actions } from './state.ts';

/** Returns the action if it is due to this role. An action of another role is refused like an unknown id. */
export function actionDueTo(actions: Actions, id: string, role: Role): Action {
  const action = lookUp(actions.all, id);
  if (action?.dueTo === role) return action;
  return fail('UNKNOWN_RECORD', `You have no action ${id}.`, { record: { type: 'action', id } });
}

/**
 * Opens an action for each answer to a question of the moderator. Only complete_action closes it, because no other call
 * shows that the answer was read.
 */
export const checkAnswerDraft = ({ all }: Actions, interventionId: string, answeredBy: Role): SessionDraft => ({
  kind: 'action.opened',
  data: {
    action_id: `act_${all.size + 1}`,
    due_to: 'moderator',
    type: 'CHECK_ANSWER',
    text: `Check the answer of ${answeredBy} to question ${interventionId} with get_moderator_questions, then complete_action.`,
    about: { type: 'intervention', id: interventionId },
  },
  actor: 'system',
});

export function refuseClosed({ actionId, status }: Action): void {
  if (status === 'COMPLETED') fail('ACTION_CLOSED', `Action ${actionId} is completed already.`, { status });
}

/** PENDING and ACKNOWLEDGED, oldest first. */
export const openActionsOf = ({ all, open }: Actions, role: Role): Action[] =>
  keysOf(open).flatMap((id) => {
    const action = lookUp(all, id);
    return action?.dueTo === role ? [action] : [];
  });

export const pendingActionsOf = (actions: Actions, role: Role): Action[] =>
  openActionsOf(actions, role).filter(({ status }) => status === 'PENDING');

/**
 * Pending actions that the role can complete now. Leaves out actions that the moderator cannot complete before the owner
 * resumes the session, and all actions of an agent that has used up its quota.
 */
export function doableActionsOf(state: SessionState, role: Role): Action[] {
  if (role !== 'owner' && isStopped(state, role)) return [];
  return pendingActionsOf(state.actions, role).filter(
    (action) => role !== 'moderator' || isModeratorsToDo(state, action),
  );
}

/**
 * Before the start the moderator can only complete actions; while the session is paused it can also resolve its
 * findings.
 */
export const isModeratorsToDo = ({ profile: { status } }: SessionState, { tool }: Action): boolean => {
  if (status === 'ACTIVE') return true;
  return status !== 'ENDED' && (tool === undefined || (status === 'PAUSED' && tool === 'resolve_finding'));
};

/** Actions completed by hand whose obligation is still in force; only a call of the named tool fulfils it. */
export const tickedOffActionsOf = ({ all, inForce }: Actions, role: Role): Action[] =>
  valuesOf(inForce).flatMap((id) => {
    const action = lookUp(all, id);
    return action?.dueTo === role && action.status === 'COMPLETED' && action.tool !== undefined ? [action] : [];
  });
