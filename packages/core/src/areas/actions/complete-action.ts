import { defineOperation } from '../operation.ts';
import { checkDrafts } from '../readiness/rules.ts';
import { actionDueTo, refuseClosed } from './rules.ts';
import { ActionChange, ActionIdInput, viewActionChange } from './schemas.ts';

/**
 * Spec 3. Records that the caller completed the action. A derived obligation stays until the call that it names is made; a
 * CONFIRM_ANSWERS obligation names `complete_action` itself.
 */
export const completeAction = defineOperation({
  name: 'complete_action',
  summary: 'Mark an action completed.',
  rest: { builder: 'POST actions/complete', moderator: 'POST moderator/actions/complete' },
  access: { builder: 'read_session_state', moderator: true },
  worksWhilePaused: true,
  input: ActionIdInput,
  output: ActionChange,
  errors: ['UNKNOWN_RECORD', 'ACTION_CLOSED'],

  decide(state, { action_id }, { role }) {
    const action = actionDueTo(state.actions, action_id, role);
    refuseClosed(action);
    if (action.type === 'CONFIRM_ANSWERS') return checkDrafts(state, role);
    return [{ kind: 'action.completed', data: { action_id, due_to: action.dueTo } }];
  },

  reply: ({ actions }, { action_id }, { caller }) => viewActionChange(actionDueTo(actions, action_id, caller.role)),
});
