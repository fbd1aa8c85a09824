import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { StoredEvidence } from '../evidence.ts';
import { BuilderRole } from '../fields.ts';

export const INTERVENTION_TYPES = ['QUESTION', 'DIRECTIVE'] as const;
export const PRIORITIES = ['LOW', 'NORMAL', 'HIGH', 'URGENT'] as const;
export const WITHDRAWALS = ['WITHDRAWN', 'RESOLVED', 'OBSOLETE'] as const;

export const interventionEvents = defineEvents({
  'intervention.opened': message({
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
  'intervention.acknowledged': message({ intervention_id: z.string() }, { message: false }),
  'intervention.answered': message({ intervention_id: z.string(), text: z.string() }),
  'intervention.withdrawn': message({ intervention_id: z.string(), outcome: z.enum(WITHDRAWALS) }),
});
