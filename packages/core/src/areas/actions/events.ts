import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { AgentRole } from '../fields.ts';

export const ACTION_TYPES = [
  'REVIEW_REVISION',
  'RESPOND_FINDING',
  'ACK_DIRECTIVE',
  'CONFIRM_RECEIPTS',
  'SUBMIT_READINESS',
  'CONFIRM_ANSWERS',
  'BEGIN_BUILD',
  'BUILD_TASK',
  'DECLARE_HANDSHAKE',
  'FIX_DEFECT',
  'REPORT_GATES',
  'OWNER_TASK',
  'CHECK_ANSWER',
  'ASSESS_RESPONSE',
  'ADVISE_DEPLOYMENT',
] as const;

const ActionRef = { action_id: z.string(), due_to: AgentRole };
const UNSPOKEN = { seenBy: 'addressee', message: false, silent: true } as const;

export const actionEvents = defineEvents({
  'action.opened': message(
    {
      ...ActionRef,
      type: z.enum(ACTION_TYPES),
      text: z.string(),
      tool: z.string().optional(),
      payload: z.record(z.string(), z.unknown()).optional(),
      /** The record that the action concerns. Absent if `payload` identifies the record. */
      about: z.strictObject({ type: z.string(), id: z.string() }).optional(),
      /** The key of the obligation that opened this action. Absent for an action that the owner opened. */
      obligation: z.string().optional(),
    },
    { seenBy: 'addressee', message: false },
  ),
  'action.acknowledged': message(ActionRef, UNSPOKEN),
  'action.completed': message({ ...ActionRef, type: z.enum(ACTION_TYPES).optional(), note: z.string().optional() }),
  /**
   * Closes an action whose obligation still exists: a BUILD_TASK when the builder completes the task, and
   * ADVISE_DEPLOYMENT when the moderator gives the advice. Only the owner sees this event, so it ends no wait of an
   * agent.
   */
  'action.settled': message(
    {
      ...ActionRef,
      type: z.enum(ACTION_TYPES),
      about: z.strictObject({ type: z.string(), id: z.string() }).optional(),
      note: z.string().optional(),
    },
    { seenBy: 'owner' },
  ),
  'action.fulfilled': message(ActionRef, UNSPOKEN),
});
