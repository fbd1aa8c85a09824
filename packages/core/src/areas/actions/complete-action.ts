import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { ActionId, LongText } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkDrafts } from '../readiness/rules.ts';
import { actionDueTo } from './rules.ts';
import { ActionChange, viewActionChange } from './schemas.ts';

const CompleteActionInput = z
  .strictObject({ action_id: ActionId, note: LongText.optional() })
  .register(documented, { id: 'CompleteActionInput' });

const NO_NOTE =
  'Leave out the member note: this action confirms readiness answers and takes no note. If an answer is wrong, dispute it with submit_finding before you confirm the others.';

/**
 * Spec 3. Completes an action of the caller. An action that is completed already, by the caller or because the service saw it
 * done, stays completed, and a new note is stored. If the action names a tool other than `complete_action`, its obligation
 * remains until the caller calls that tool. Only the owner sees that a BUILD_TASK was completed.
 */
export const completeAction = defineOperation({
  name: 'complete_action',
  summary: 'Complete an action.',
  rest: { builder: 'POST actions/complete', moderator: 'POST moderator/actions/complete' },
  access: { builder: 'read_session_state', moderator: true },
  worksWhilePaused: true,
  input: CompleteActionInput,
  output: ActionChange,
  errors: ['UNKNOWN_RECORD'],

  decide(state, { action_id, note }, { role }) {
    const action = actionDueTo(state.actions, action_id, role);
    const { type, due_to, about } = action;
    if (type === 'CONFIRM_ANSWERS' && note !== undefined) refuseInput([{ path: 'note', message: NO_NOTE }]);
    if (action.status === 'COMPLETED' && note === undefined) return [];
    if (type === 'CONFIRM_ANSWERS') return checkDrafts(state, role);
    const closed = { action_id, due_to, type, note };
    if (type === 'BUILD_TASK') return [{ kind: 'action.settled', data: { ...closed, about } }];
    return [{ kind: 'action.completed', data: closed }];
  },

  reply: ({ actions }, { action_id }, { caller }) => viewActionChange(actionDueTo(actions, action_id, caller.role)),
});
