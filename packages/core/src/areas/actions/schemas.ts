import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { ActionId, ActorName, AgentRole, At, RecordRef } from '../fields.ts';
import { pickOf } from '../pick.ts';
import { routeOf } from '../routes.ts';
import { ACTION_TYPES } from './events.ts';

const ACTION_STATUSES = ['PENDING', 'ACKNOWLEDGED', 'COMPLETED'] as const;

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
const CHANGE = ActionView.pick({ action_id: true, type: true, status: true });
/**
 * The answer of a call that changes an action. It leaves out the text of the action, which the caller has read before.
 */
export const ActionChange = z.strictObject({ action: CHANGE }).register(documented, { id: 'ActionChange' });
export const ActionIdInput = z.strictObject({ action_id: ActionId }).register(documented, { id: 'ActionIdInput' });

/** An action in the state. */
export interface Action extends Readonly<Omit<z.output<typeof ActionView>, 'route'>> {
  /** The key of the obligation that opened this action. Absent for an action that the owner opened. */
  readonly obligation?: string | undefined;
  /** Time at which an `action.settled` event closed the action. Null if no such event closed it. */
  readonly settled_at: string | null;
  /**
   * The number that is compared with the agent's cursor: the id of the latest message to the agent if the append that
   * opened the action also stored that message, otherwise the number of the event that opened the action.
   */
  readonly since: number;
  /**
   * Number of the event that caused the action: in the append that opened the action, the last event that the service
   * did not add itself. If there is no such event, the number of the event that opened the action.
   */
  readonly opened_for: number;
  /**
   * Number of the event that completed the action, or that added a note to it later. For an action that the service
   * closed, the number of the event that ended its obligation. Absent while the action is open.
   */
  readonly completed_seq?: number;
}

const pickAction = pickOf(ActionView);
const pickChange = pickOf(CHANGE);

export const viewAction = (action: Action): z.output<typeof ActionView> =>
  pickAction({ ...action, ...routeOf(action.tool, action.due_to) });

export const viewActionChange = (action: Action): z.output<typeof ActionChange> => ({ action: pickChange(action) });
