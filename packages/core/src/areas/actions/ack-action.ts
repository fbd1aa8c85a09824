import { defineOperation } from '../operation.ts';
import { actionDueTo, refuseClosed } from './rules.ts';
import { ActionChange, ActionIdInput, viewActionChange } from './schemas.ts';

/**
 * Spec 3. Marks an action as ACKNOWLEDGED. The action then no longer ends a wait, whatever cursor the waiting call has
 * sent.
 */
export const ackAction = defineOperation({
  name: 'ack_action',
  summary: 'Acknowledge an action.',
  rest: 'POST actions/ack',
  access: { builder: 'read_session_state' },
  worksWhilePaused: true,
  input: ActionIdInput,
  output: ActionChange,
  errors: ['UNKNOWN_RECORD', 'ACTION_CLOSED'],

  decide({ actions }, { action_id }, { role }) {
    const action = actionDueTo(actions, action_id, role);
    refuseClosed(action);
    return action.status === 'PENDING'
      ? [{ kind: 'action.acknowledged', data: { action_id, due_to: action.due_to } }]
      : [];
  },

  reply: ({ actions }, { action_id }, { caller }) => viewActionChange(actionDueTo(actions, action_id, caller.role)),
});
