import { z } from 'zod';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { Builder } from '../../kernel/roles.ts';
import { At, BuilderRole, DefectId, MessageCursor, Party } from '../fields.ts';
import { Commits, DeclaredChange, EvidenceFields, HandshakeFields, Refusal, VERDICTS } from './events.ts';

export const HandshakeView = z.strictObject({
  by: BuilderRole,
  ...HandshakeFields,
  skew_ms: z.int().nullable().describe('Milliseconds by which the clock of the agent is ahead of the clock of Parley.'),
  declared_at: At,
});
documented.add(HandshakeView, { id: 'Handshake' });

export interface Handshake extends Readonly<z.output<typeof HandshakeView>> {
  /** Number of the event in which the builder first declared this commit. */
  readonly commit_seq: number;
}

const { kind, request_id, ...body } = EvidenceFields;

/** An item of evidence as the state holds it: its texts are stored only in the log. */
export const EvidenceRef = z.strictObject({
  message_id: MessageCursor,
  by: BuilderRole,
  kind,
  request_id,
  failed: z.boolean(),
});

export const EvidenceView = z
  .strictObject({ ...EvidenceRef.shape, ...z.strictObject({ ...body, submitted_at: At }).partial().shape })
  .describe('Has claim, summary and assertions only if scenario_id was sent.');
documented.add(EvidenceView, { id: 'Evidence' });

export interface Evidence extends Readonly<z.output<typeof EvidenceRef>> {
  /** The `evidence_key` of the item, and the fingerprint of its content. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | undefined;
}

/** The `message_id` of an item of evidence that is evaluated before it is stored. */
export const NOT_STORED = 0;

export const EvaluationView = z.strictObject({
  met: z.boolean().describe('Whether the evidence is enough for a PASS.'),
  request_id: z.string().nullable(),
  missing: z.array(z.string()),
  failing: z.array(z.string()),
});
documented.add(EvaluationView, { id: 'Evaluation' });

export const AttemptView = z.strictObject({
  attempt: z.int(),
  status: z.enum(['OPEN', 'PASSED', 'FAILED', 'ABORTED']),
  started_by: BuilderRole,
  started_at: At,
  commits: Commits,
  evidence_count: z.int(),
  evidence: z.array(EvidenceView),
  evaluation: EvaluationView,
  verdict: z
    .strictObject({
      by: BuilderRole,
      verdict: z.enum(VERDICTS).register(documented, { id: 'Verdict' }),
      note: z.string().nullable(),
      deviations: z.array(z.string()).optional(),
      given_at: At,
    })
    .nullable(),
  reason: z.string().nullable().describe('Why the attempt was aborted.'),
  ...LEFT_OUT,
});
documented.add(AttemptView, { id: 'Attempt' });

type Shown = 'attempt' | 'status' | 'started_by' | 'started_at' | 'commits' | 'verdict' | 'reason';

export interface Attempt extends Readonly<Pick<z.output<typeof AttemptView>, Shown>> {
  readonly evidence: readonly Evidence[];
  /** Times of the first and the latest item of evidence. Null if there is no evidence. */
  readonly evidence_at: { readonly first: string; readonly last: string } | null;
}

/** How a stale pass counts for other commits without a rerun. The reason is that of `by`; `paths` counts what was declared. */
export const CarriedView = z.strictObject({
  by: Party,
  reason: z.string(),
  verified: Commits.describe('Of the attempt.'),
  commits: Commits,
  changes: z.array(DeclaredChange),
  carried_at: At,
});
documented.add(CarriedView, { id: 'Carried' });

export const DefectView = z.strictObject({
  defect_id: DefectId,
  scenario_id: z.string(),
  attempt: z.int(),
  status: z.enum(['OPEN', 'FIXED', 'CLOSED', 'SUPERSEDED', 'WAIVED']),
  assigned_to: BuilderRole,
  commits: Commits,
  fix: z.strictObject({ note: z.string(), commit: z.string(), fixed_at: At }).nullable(),
  waiver_reason: z.string().nullable(),
  refusal: Refusal.optional().describe('Of a step, by the owner.'),
  opened_at: At,
});
documented.add(DefectView, { id: 'Defect' });

/** How the owner assigned a defect to the other builder. The reason is absent if the owner gave none. */
export const Reassignment = z.strictObject({
  message_id: MessageCursor,
  from: BuilderRole,
  to: BuilderRole,
  at: At,
  reason: z.string().optional(),
});

export interface Defect extends Readonly<z.output<typeof DefectView>> {
  /** Number of the event in which the last failed attempt opened or reopened the defect. */
  readonly failed_seq: number;
  /** The builder that gave the fix. Null if there is no fix. */
  readonly fixed_by: Builder | null;
  /** The reassignments of the defect by the owner, oldest first. Absent if there are none. */
  readonly reassigned?: z.output<typeof Reassignment>[];
}
