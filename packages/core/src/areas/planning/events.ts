import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { BuilderRole, StoredEvidence, Warnings } from '../fields.ts';

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

export const ADDRESSEES = [...BUILDERS, 'owner'] as const;

export const questionEvents = defineEvents({
  'question.asked': message(
    {
      question_id: z.string(),
      to: z.enum(ADDRESSEES),
      text: z.string(),
      blocking: z.boolean(),
      in_turn: z.boolean(),
    },
    { message: 'standalone' },
  ),
  'question.answered': message(
    { question_id: z.string(), answer: z.string(), in_turn: z.boolean() },
    { message: 'standalone' },
  ),
});

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

export const electionEvents = defineEvents({
  'author.nominated': message({ candidate: BuilderRole, reason: z.string() }),
  'author.elected': message({ contract_author: BuilderRole, technical_reviewer: BuilderRole }),
});
