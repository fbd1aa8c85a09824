import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { ActionId, ActorName, AgentRole, At, RecordRef } from '../fields.ts';
import { routeOf } from '../routes.ts';
import { ACTION_TYPES } from './events.ts';
import { ACTION_STATUSES, type Action } from './state.ts';

export const ActionView = z.strictObject({
  action_id: ActionId,
  type: z.enum(ACTION_TYPES).register(documented, { id: 'ActionType' }),
  text: z.string(),
  tool: z.string().optional().describe('Tool that fulfils the action.'),
  route: z.string().optional().describe('REST route of the tool.'),
  payload: z.record(z.string(), z.unknown()).optional().describe('Input for the tool.'),
  about: RecordRef.optional().describe('The record that the action concerns; absent if the payload names it.'),
  status: z.enum(ACTION_STATUSES).register(documented, { id: 'ActionStatus' }),
  due_to: AgentRole,
  from: ActorName,
  opened_at: At,
});
documented.add(ActionView, { id: 'Action' });
/**
 * The answer of a call that changes an action. It leaves out the text of the action, which the caller has read before.
 */
export const ActionChange = z
  .strictObject({ action: ActionView.pick({ action_id: true, type: true, status: true }) })
  .register(documented, { id: 'ActionChange' });
export const ActionIdInput = z.strictObject({ action_id: ActionId }).register(documented, { id: 'ActionIdInput' });

export const viewActionChange = ({ actionId, type, status }: Action): z.output<typeof ActionChange> => ({
  action: { action_id: actionId, type, status },
});

export const viewAction = ({
  actionId,
  type,
  text,
  tool,
  payload,
  about,
  status,
  dueTo,
  from,
  at,
}: Action): z.output<typeof ActionView> => ({
  action_id: actionId,
  type,
  text,
  tool,
  ...routeOf(tool, dueTo),
  payload: payload && { ...payload },
  about: about && { ...about },
  status,
  due_to: dueTo,
  from,
  opened_at: at,
});
