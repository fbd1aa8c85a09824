import { z } from 'zod';
import { QUOTAS } from '../../kernel/limits.ts';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { AgentRole } from '../fields.ts';

export const quotaEvents = defineEvents({
  'quota.raised': message({ role: AgentRole, quota: z.enum(QUOTAS), limit: z.int() }),
});
