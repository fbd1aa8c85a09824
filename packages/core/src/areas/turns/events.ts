import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { Warnings } from '../credentials/schemas.ts';
import { VERDICTS } from '../decisions/events.ts';
import { StoredEvidence } from '../evidence.ts';
import { BuilderRole } from '../fields.ts';
import { ADDRESSEES } from '../questions/events.ts';

const Texts = z.array(z.string()).optional();

export const turnEvents = defineEvents({
  'turn.posted': message(
    {
      turn_index: z.int(),
      round: z.int(),
      next_agent: BuilderRole.nullable(),
      summary: z.string(),
      answers: z
        .array(
          z.union([
            z.strictObject({ question_id: z.string(), answer: z.string() }),
            z.strictObject({ decision_id: z.string(), decision: z.enum(VERDICTS), reason: z.string().optional() }),
          ]),
        )
        .optional(),
      verified_facts: z.array(z.strictObject({ claim: z.string(), evidence: StoredEvidence.optional() })).optional(),
      proposed_decisions: z
        .array(
          z.strictObject({
            decision_id: z.string(),
            topic: z.string(),
            position: z.string(),
            evidence: StoredEvidence.optional(),
            accept: z.boolean().optional(),
            supersedes: z.string().optional(),
          }),
        )
        .optional(),
      concerns: Texts,
      questions: z
        .array(
          z.strictObject({ question_id: z.string(), to: z.enum(ADDRESSEES), text: z.string(), blocking: z.boolean() }),
        )
        .optional(),
      next_step: z.string().optional(),
      interfaces: z
        .array(z.strictObject({ name: z.string(), kind: z.string().optional(), description: z.string() }))
        .optional(),
      dependencies: Texts,
      safety_conditions: Texts,
      disagreements: Texts,
      acknowledged_directives: Texts,
      converged: z.boolean().optional(),
      idempotency: z.strictObject({ key: z.string(), fingerprint: z.string() }).optional(),
      warnings: Warnings.optional(),
    },
    { omit: ['idempotency', 'warnings'] },
  ),
  'evidence.posted': message({ turn_index: z.int(), evidence: StoredEvidence }),
});
