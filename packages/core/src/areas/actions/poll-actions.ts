import { z } from 'zod';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { openActionsAndTasksOf } from './rules.ts';
import { ActionView, viewAction } from './schemas.ts';

/** Spec 4.2. Lists the actions that are not completed, including the actions for tasks of the build. */
export const pollActions = defineOperation({
  name: 'poll_actions',
  summary: 'List the actions due from you.',
  rest: 'GET actions',
  access: { builder: 'read_session_state' },
  input: z.strictObject(PAGE_INPUT),
  output: z.strictObject({ actions: z.array(ActionView), ...LEFT_OUT }),
  errors: [],

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
