import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { content } from '../content.ts';
import { BuilderRole, StoredEvidence, storedShape, Warnings } from '../fields.ts';
import { ADDRESSEES, PositionFields, Proposal, TurnFields, VERDICTS } from './fields.ts';

export const DECISION_STATUSES = ['PROPOSED', 'RESOLVED', 'WITHDRAWN', 'REJECTED', 'SUPERSEDED'] as const;
export type DecisionStatus = (typeof DECISION_STATUSES)[number];

export const decisionEvents = defineEvents({
  'decision.proposed': message(
    {
      decision_id: z.string(),
      ...storedShape(PositionFields),
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
      // A copy: other events share the schema, in which evidence is no content.
      evidence: content(StoredEvidence.clone()),
      in_turn: z.boolean(),
    },
    { message: 'standalone' },
  ),
  /** `in_turn` is true if the acceptance was part of a turn, and absent if it was a separate call. */
  'decision.accepted': message({ decision_id: z.string(), in_turn: z.boolean().optional() }, { message: 'standalone' }),
  'decision.withdrawn': message({ decision_id: z.string(), reason: z.string() }),
  'decision.rejected': message(
    { decision_id: z.string(), reason: content(z.string()), in_turn: z.boolean().optional() },
    { message: 'standalone' },
  ),
});

export const questionEvents = defineEvents({
  'question.asked': message(
    {
      question_id: z.string(),
      to: z.enum(ADDRESSEES),
      text: content(z.string()),
      blocking: z.boolean(),
      in_turn: z.boolean(),
    },
    { message: 'standalone' },
  ),
  'question.answered': message(
    { question_id: z.string(), answer: content(z.string()), in_turn: z.boolean() },
    { message: 'standalone' },
  ),
});

export const turnEvents = defineEvents({
  'turn.posted': message(
    {
      turn_index: z.int(),
      round: z.int(),
      next_agent: BuilderRole.nullable(),
      ...storedShape(TurnFields),
      answers: z
        .array(
          z.union([
            z.strictObject({ question_id: z.string(), answer: z.string() }),
            z.strictObject({ decision_id: z.string(), decision: z.enum(VERDICTS), reason: z.string().optional() }),
          ]),
        )
        .optional(),
      proposed_decisions: z
        .array(z.strictObject({ decision_id: z.string(), ...storedShape(Proposal.shape) }))
        .optional(),
      questions: z
        .array(
          z.strictObject({ question_id: z.string(), to: z.enum(ADDRESSEES), text: z.string(), blocking: z.boolean() }),
        )
        .optional(),
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
