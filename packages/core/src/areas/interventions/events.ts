import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { StoredEvidence } from '../evidence.ts';
import { BuilderRole } from '../fields.ts';

export const INTERVENTION_TYPES = ['QUESTION', 'DIRECTIVE'] as const;
export const PRIORITIES = ['LOW', 'NORMAL', 'HIGH', 'URGENT'] as const;
export const WITHDRAWALS = ['WITHDRAWN', 'RESOLVED', 'OBSOLETE'] as const;

export const interventionEvents = defineEvents({
  'intervention.opened': {
    seenBy: 'everyone',
    data: z.strictObject({
      intervention_id: z.string(),
      type: z.enum(INTERVENTION_TYPES),
      text: z.string(),
      priority: z.enum(PRIORITIES),
      blocking: z.boolean(),
      targets: z.array(BuilderRole),
      evidence: StoredEvidence.optional(),
      related_decision_id: z.string().optional(),
      related_revision_id: z.string().optional(),
    }),
  },
  'intervention.acknowledged': {
    seenBy: 'everyone',
    message: false,
    data: z.strictObject({ intervention_id: z.string() }),
  },
  'intervention.answered': {
    seenBy: 'everyone',
    data: z.strictObject({ intervention_id: z.string(), text: z.string() }),
  },
  'intervention.withdrawn': {
    seenBy: 'everyone',
    data: z.strictObject({ intervention_id: z.string(), outcome: z.enum(WITHDRAWALS) }),
  },
});
