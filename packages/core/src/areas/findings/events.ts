import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { content } from '../content.ts';
import { BuilderRole, RecordRef, StoredEvidence } from '../fields.ts';

export const FINDING_KINDS = ['DEFECT', 'OMISSION', 'CONFLICT', 'RISK', 'QUESTION'] as const;
export const RESPONSE_DECISIONS = ['ACCEPT', 'REJECT'] as const;
export const FINDING_CATEGORIES = [
  'CORRECTNESS',
  'SECURITY',
  'SAFETY',
  'SCOPE',
  'COMPATIBILITY',
  'TESTABILITY',
  'PROCESS',
] as const;
export const FINDING_SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export const FINDING_OUTCOMES = ['RESOLVED', 'WITHDRAWN'] as const;

/** Members that only a finding of the moderator has. */
export const Moderated = z.strictObject({
  category: z.enum(FINDING_CATEGORIES),
  severity: z.enum(FINDING_SEVERITIES),
  resolution_criteria: content(z.string()),
  target_agents: z.array(BuilderRole),
});

export const findingEvents = defineEvents({
  'finding.raised': message({
    finding_id: z.string(),
    text: content(z.string()),
    /** Present if a builder raised the finding. */
    kind: z.enum(FINDING_KINDS).optional(),
    /** Present if the moderator raised the finding. */
    moderated: Moderated.optional(),
    blocking: z.boolean(),
    target: z.string().optional(),
    /**
     * The builder whose readiness answer the finding disputes. `target` is then the id of the question. Absent for
     * all other findings.
     */
    answer_of: BuilderRole.optional(),
    evidence: content(StoredEvidence.optional()),
    revision_id: z.string().nullable(),
  }),
  'finding.responded': message({
    finding_id: z.string(),
    decision: z.enum(RESPONSE_DECISIONS),
    response: content(z.string()),
    fixed_in: z.string().nullable(),
    /** Builders that must still answer the finding. Absent in old events, where it counts as empty. */
    awaiting: z.array(BuilderRole).optional(),
  }),
  'finding.resolved': message({
    finding_id: z.string(),
    outcome: z.enum(FINDING_OUTCOMES),
    note: z.string().optional(),
  }),
  'finding.overridden': message({ finding_id: z.string(), reason: z.string() }),
});

/** The possible causes of the release of a hold. FINDING_CLOSED: the finding to which the hold belongs was closed. */
export const RELEASE_CAUSES = ['MODERATOR', 'OWNER', 'FINDING_CLOSED'] as const;

const HoldRef = { hold_id: z.string(), finding_id: z.string() };

export const holdEvents = defineEvents({
  'hold.opened': message({ ...HoldRef, reason: z.string() }),
  'hold.released': message({ ...HoldRef, cause: z.enum(RELEASE_CAUSES), reason: z.string().optional() }),
});

export const FOLLOWUP_KINDS = ['fault', 'deviation', 'question'] as const;

export const followupEvents = defineEvents({
  'followup.noted': message({
    followup_id: z.string(),
    /** The builder in whose repository the work has to be done. */
    side: BuilderRole,
    kind: z.enum(FOLLOWUP_KINDS),
    text: z.string(),
    /** The turn, the attempt or the action with which an agent noted it. Absent if the owner noted it. */
    origin: RecordRef.optional(),
  }),
});
