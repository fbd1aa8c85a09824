import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { AgentRole } from '../fields.ts';

export const ACTION_TYPES = [
  'REVIEW_REVISION',
  'RESPOND_FINDING',
  'ACK_DIRECTIVE',
  'CONFIRM_RECEIPTS',
  'SUBMIT_READINESS',
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
      /** The record it is about, where no tool and payload say so. */
      about: z.strictObject({ type: z.string(), id: z.string() }).optional(),
      /** Present on derived actions: the obligation this one stands for. */
      obligation: z.string().optional(),
    }),
  },
  'action.acknowledged': { v: 1, seenBy: 'addressee', message: false, data: z.strictObject(ActionRef) },
  'action.completed': { v: 1, seenBy: 'everyone', message: true, data: z.strictObject(ActionRef) },
  'action.fulfilled': { v: 1, seenBy: 'addressee', message: false, data: z.strictObject(ActionRef) },
});
