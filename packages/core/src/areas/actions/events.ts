import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { AgentRole } from '../fields.ts';

export const ACTION_TYPES = [
  'REVIEW_REVISION',
  'RESPOND_FINDING',
  'ACK_DIRECTIVE',
  'CONFIRM_RECEIPTS',
  'SUBMIT_READINESS',
  'CONFIRM_ANSWERS',
  'BEGIN_BUILD',
  'DECLARE_HANDSHAKE',
  'FIX_DEFECT',
  'OWNER_TASK',
  'CHECK_ANSWER',
  'ASSESS_RESPONSE',
] as const;

const ActionRef = { action_id: z.string(), due_to: AgentRole };

export const actionEvents = defineEvents({
  'action.opened': {
    v: 1,
    seenBy: 'addressee',
    message: false,
    data: z.strictObject({
      ...ActionRef,
      type: z.enum(ACTION_TYPES),
      text: z.string(),
      tool: z.string().optional(),
      payload: z.record(z.string(), z.unknown()).optional(),
      /** The record that the action concerns, if tool and payload do not name it. */
      about: z.strictObject({ type: z.string(), id: z.string() }).optional(),
      /** Only on derived actions: the obligation for which this action was opened. */
      obligation: z.string().optional(),
    }),
  },
  'action.acknowledged': { v: 1, seenBy: 'addressee', message: false, data: z.strictObject(ActionRef) },
  'action.completed': { v: 1, seenBy: 'everyone', message: true, data: z.strictObject(ActionRef) },
  'action.fulfilled': { v: 1, seenBy: 'addressee', message: false, data: z.strictObject(ActionRef) },
});
