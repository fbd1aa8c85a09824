import { fail } from '../../kernel/errors.ts';
import { keysOf, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { isStopped } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import type { Action, Actions } from './state.ts';

/** The action, if it is due to this role; another's is as unknown as none. */
export function actionDueTo(actions: Actions, id: string, role: Role): Action {
  const action = lookUp(actions.all, id);
  if (action?.dueTo === role) return action;
  return fail('UNKNOWN_RECORD', `No action ${id} is due to you.`, { record: { type: 'action', id } });
}

/** What an answer to the moderator's question asks of it: to be looked at, which no call but complete_action tells. */
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
  if (status === 'COMPLETED') fail('ACTION_CLOSED', `Action ${actionId} is completed.`, { status });
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
 * What a role can do something about now: the moderator cannot do everything before the owner resumes, and an agent that
 * has used up its quota can do nothing.
 */
export function doableActionsOf(state: SessionState, role: Role): Action[] {
  if (role !== 'owner' && isStopped(state, role)) return [];
  return pendingActionsOf(state.actions, role).filter(
    (action) => role !== 'moderator' || isModeratorsToDo(state, action),
  );
}

/** Before the start the moderator only completes actions; in a pause it also resolves its findings. */
export const isModeratorsToDo = ({ profile: { status } }: SessionState, { tool }: Action): boolean => {
  if (status === 'ACTIVE') return true;
  return status !== 'ENDED' && (tool === undefined || (status === 'PAUSED' && tool === 'resolve_finding'));
};

/** Completed by hand while the obligation stands that a call would meet. */
export const tickedOffActionsOf = ({ all, inForce }: Actions, role: Role): Action[] =>
  valuesOf(inForce).flatMap((id) => {
    const action = lookUp(all, id);
    return action?.dueTo === role && action.status === 'COMPLETED' && action.tool !== undefined ? [action] : [];
  });
