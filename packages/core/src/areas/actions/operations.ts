import { z } from 'zod';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { ActionId, LongText } from '../fields.ts';
import { followupDrafts, NOTED } from '../findings/rules.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { checkDrafts } from '../manifest/readiness.ts';
import { defineOperation } from '../operation.ts';
import { actionDueTo, openActionsAndTasksOf, refuseClosed } from './rules.ts';
import { ActionChange, ActionIdInput, ActionView, viewAction, viewActionChange } from './state.ts';

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

const CompleteActionInput = namedObject('CompleteActionInput', {
  action_id: ActionId,
  note: LongText.optional(),
  ...NOTED,
});

const NO_NOTE =
  'Leave out the member note: this action confirms readiness answers and takes no note. If an answer is wrong, dispute it with submit_finding before you confirm the others.';

/**
 * Spec 3. Completes an action of the caller. An action that is completed already, by the caller or because the service saw it
 * done, stays completed, and a new note is stored. If the action names a tool other than `complete_action`, its obligation
 * remains until the caller calls that tool. Follow-ups are stored in each case. Only the owner sees that a BUILD_TASK was completed.
 */
export const completeAction = defineOperation({
  name: 'complete_action',
  summary: 'Complete an action.',
  rest: { builder: 'POST actions/complete', moderator: 'POST moderator/actions/complete' },
  access: { builder: 'read_session_state', moderator: true },
  worksWhilePaused: true,
  input: CompleteActionInput,
  output: ActionChange,
  errors: ['UNKNOWN_RECORD', 'LIMIT_EXCEEDED'],

  decide(state, { action_id, note, followups }, { role }) {
    const action = actionDueTo(state.actions, action_id, role);
    const { type, due_to, about } = action;
    if (type === 'CONFIRM_ANSWERS' && note !== undefined) refuseInput([{ path: 'note', message: NO_NOTE }]);
    const noted = followupDrafts(state.followups, followups, { role, origin: { type: 'action', id: action_id } });
    if (action.status === 'COMPLETED' && note === undefined) return noted;
    if (type === 'CONFIRM_ANSWERS') return [...checkDrafts(state, role), ...noted];
    const closed = { action_id, due_to, type, note };
    if (type === 'BUILD_TASK') return [{ kind: 'action.settled', data: { ...closed, about } }, ...noted];
    return [{ kind: 'action.completed', data: closed }, ...noted];
  },

  reply: ({ actions }, { action_id }, { caller }) => viewActionChange(actionDueTo(actions, action_id, caller.role)),
});

/** Spec 4.2. Lists the actions that are not completed, including the actions for tasks of the build. */
export const pollActions = defineOperation({
  name: 'poll_actions',
  summary: 'List the actions due from you.',
  rest: 'GET actions',
  access: { builder: 'read_session_state' },
  input: z.strictObject(PAGE_INPUT),
  output: z.strictObject({ actions: z.array(ActionView), ...LEFT_OUT }),

  reply({ actions }, { after }, { caller }) {
    const { shown, leftOut } = listed({
      records: openActionsAndTasksOf(actions, caller.role),
      view: viewAction,
      idOf: ({ action_id }) => action_id,
      tool: 'poll_actions',
      after,
    });
    return { actions: shown, ...leftOut };
  },
});
