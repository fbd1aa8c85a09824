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
  about: z
    .strictObject({ type: z.string(), id: z.string() })
    .optional()
    .describe('The record it is about, where no tool and payload say so.'),
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
  payload: payload && { ...payload },
  about: about && { ...about },
  status,
  due_to: dueTo,
  from,
  opened_at: at,
});
