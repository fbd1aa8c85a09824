import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { BuilderRole } from '../fields.ts';

export const RECOMMENDATIONS = ['APPROVE', 'REQUEST_CHANGES', 'PAUSE', 'REJECT', 'PROCEED', 'OTHER'] as const;
export const OWNER_DECISIONS = ['ACCEPT', 'REJECT'] as const;

/** Builders see neither recommendations nor the owner's answers to recommendations. */
export const recommendationEvents = defineEvents({
  'recommendation.made': message(
    {
      recommendation_id: z.string(),
      recommendation: z.enum(RECOMMENDATIONS),
      text: z.string(),
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
