import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { emptyTable, type Table, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Receipt } from '../../kernel/operation/operation.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import { Warnings } from '../credentials/schemas.ts';
import { BuilderRole } from '../fields.ts';
import { ADDRESSEES } from '../questions/state.ts';

const Texts = z.array(z.string()).optional();
const Records = z.array(z.record(z.string(), z.unknown()));

export const turnEvents = defineEvents({
  'turn.posted': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    omit: ['idempotency', 'warnings'],
    data: z.strictObject({
      turn_index: z.int(),
      round: z.int(),
      next_agent: BuilderRole.nullable(),
      summary: z.string(),
      answers: z.array(z.strictObject({ question_id: z.string(), answer: z.string() })).optional(),
      verified_facts: Records.optional(),
      proposed_decisions: Records.optional(),
      concerns: Texts,
      questions: z
        .array(
          z.strictObject({ question_id: z.string(), to: z.enum(ADDRESSEES), text: z.string(), blocking: z.boolean() }),
        )
        .optional(),
      next_step: z.string().optional(),
      interfaces: Records.optional(),
      dependencies: Texts,
      safety_conditions: Texts,
      disagreements: Texts,
      acknowledged_directives: Texts,
      converged: z.boolean().optional(),
      idempotency: z.strictObject({ key: z.string(), fingerprint: z.string() }).optional(),
      warnings: Warnings.optional(),
    }),
  },
  'evidence.posted': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ turn_index: z.int(), evidence: Records }),
  },
});

interface LastTurn {
  readonly seq: number;
  readonly turnIndex: number;
  readonly hasConverged: boolean;
}

export interface Turns {
  /** Turns posted so far; also the number of the next one. */
  readonly count: number;
  readonly lastOf: Readonly<Partial<Record<Builder, LastTurn>>>;
  /** By role and idempotency key. */
  readonly receipts: Table<Receipt>;
}

export const emptyTurns: Turns = { count: 0, lastOf: {}, receipts: emptyTable() };

export const receiptKey = (role: string, key: string): string => `${role} ${key}`;

export function evolveTurns(turns: Turns, event: SessionEvent): Turns {
  if (event.kind !== 'turn.posted' || !isBuilder(event.actor)) return turns;
  const { turn_index, converged = false, idempotency } = event.data;
  const last: LastTurn = { seq: event.seq, turnIndex: turn_index, hasConverged: converged };
  const receipts = idempotency
    ? withEntry(turns.receipts, receiptKey(event.actor, idempotency.key), {
        seq: event.seq,
        fingerprint: idempotency.fingerprint,
      })
    : turns.receipts;
  return { count: turn_index + 1, lastOf: { ...turns.lastOf, [event.actor]: last }, receipts };
}
