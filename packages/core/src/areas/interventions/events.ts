import { z } from 'zod';
import { defineEvents, message, ownersOnly } from '../../kernel/log/event-catalog.ts';
import { content } from '../content.ts';
import { BuilderRole, StoredEvidence } from '../fields.ts';

export const INTERVENTION_TYPES = ['QUESTION', 'DIRECTIVE'] as const;
export const PRIORITIES = ['LOW', 'NORMAL', 'HIGH', 'URGENT'] as const;
export const WITHDRAWALS = ['WITHDRAWN', 'RESOLVED', 'OBSOLETE'] as const;

export const interventionEvents = defineEvents({
  'intervention.opened': message({
    intervention_id: z.string(),
    type: z.enum(INTERVENTION_TYPES),
    text: content(z.string()),
    priority: z.enum(PRIORITIES),
    blocking: z.boolean(),
    targets: z.array(BuilderRole),
    evidence: content(StoredEvidence.optional()),
    related_decision_id: z.string().optional(),
    related_revision_id: z.string().optional(),
  }),
  'intervention.acknowledged': message({ intervention_id: z.string() }, { message: false }),
  'intervention.answered': message({ intervention_id: z.string(), text: content(z.string()) }),
  'intervention.withdrawn': message({ intervention_id: z.string(), outcome: z.enum(WITHDRAWALS) }),
});

export const RECOMMENDATIONS = ['APPROVE', 'REQUEST_CHANGES', 'PAUSE', 'REJECT', 'PROCEED', 'OTHER'] as const;
export const OWNER_DECISIONS = ['ACCEPT', 'REJECT'] as const;

/** Builders see neither recommendations nor the owner's answers to recommendations. */
export const recommendationEvents = defineEvents({
  'recommendation.made': message(
    {
      recommendation_id: z.string(),
      recommendation: z.enum(RECOMMENDATIONS),
      text: content(z.string()),
      targets: z.array(BuilderRole),
    },
    { seenBy: 'moderator' },
  ),
  'recommendation.answered': message(
    {
      recommendation_id: z.string(),
      decision: z.enum(OWNER_DECISIONS),
      note: z.string().optional(),
    },
    { seenBy: 'moderator' },
  ),
});

export const feedEvents = defineEvents({
  /**
   * Stores the cursor up to which the moderator has acknowledged events. Only the owner sees this event, because
   * otherwise each acknowledgement would add an event to the moderator's feed.
   */
  'events.acknowledged': ownersOnly({ cursor: z.int() }, { silent: true }),
});
