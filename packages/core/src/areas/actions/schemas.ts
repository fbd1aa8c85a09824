import { z } from 'zod';
import { ACTORS } from '../../kernel/roles.ts';
import { ActionId, AgentRole, At } from '../fields.ts';
import { ACTION_STATUSES, ACTION_TYPES, type Action } from './state.ts';

export const ActionView = z.strictObject({
  action_id: ActionId,
  type: z.enum(ACTION_TYPES),
  text: z.string(),
  tool: z.string().optional().describe('The tool that meets it, where one does.'),
  payload: z.record(z.string(), z.unknown()).optional().describe('What to send to that tool.'),
  status: z.enum(ACTION_STATUSES),
  due_to: AgentRole,
  from: z.enum(ACTORS),
  opened_at: At,
});

export const viewAction = ({
  actionId,
  type,
  text,
  tool,
  payload,
  status,
  dueTo,
  from,
  at,
}: Action): z.output<typeof ActionView> => ({
  action_id: actionId,
  type,
  text,
  tool,
  payload: payload && { ...payload },
  status,
  due_to: dueTo,
  from,
  opened_at: at,
});
