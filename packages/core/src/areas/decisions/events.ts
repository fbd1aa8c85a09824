import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { StoredEvidence } from '../evidence.ts';

export const DECISION_STATUSES = ['PROPOSED', 'RESOLVED', 'WITHDRAWN', 'REJECTED', 'SUPERSEDED'] as const;
export type DecisionStatus = (typeof DECISION_STATUSES)[number];

export const VERDICTS = ['ACCEPT', 'REJECT'] as const;

export const decisionEvents = defineEvents({
  'decision.proposed': message(
    {
      decision_id: z.string(),
      topic: z.string(),
      position: z.string(),
      evidence: StoredEvidence.optional(),
      revision: z.int(),
      supersedes: z.string().optional(),
      in_turn: z.boolean(),
    },
    { message: 'standalone' },
  ),
  /** Adds evidence to a decision whose position stays the same. Either builder can add evidence. */
  'decision.substantiated': message(
    {
      decision_id: z.string(),
      evidence: StoredEvidence,
      in_turn: z.boolean(),
    },
    { message: 'standalone' },
  ),
  /** `in_turn` is true if the acceptance was part of a turn, and absent if it was a separate call. */
  'decision.accepted': message({ decision_id: z.string(), in_turn: z.boolean().optional() }, { message: 'standalone' }),
  'decision.withdrawn': message({ decision_id: z.string(), reason: z.string() }),
  'decision.rejected': message(
    { decision_id: z.string(), reason: z.string(), in_turn: z.boolean().optional() },
    { message: 'standalone' },
  ),
});
