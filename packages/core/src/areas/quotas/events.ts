import { z } from 'zod';
import { QUOTAS } from '../../kernel/limits.ts';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { AgentRole } from '../fields.ts';

export const quotaEvents = defineEvents({
  'quota.raised': {
    seenBy: 'everyone',
    data: z.strictObject({ role: AgentRole, quota: z.enum(QUOTAS), limit: z.int() }),
  },
});
