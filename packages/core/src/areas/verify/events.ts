import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { RELEASE } from '../approvals/events.ts';
import { EVIDENCE_KINDS, GATE_STAGES } from '../document/contract.ts';
import { BuilderRole, text } from '../fields.ts';
import { StoredRun } from './run.ts';

export const VERDICTS = ['PASS', 'FAIL'] as const;

/** The steps that the owner can refuse because of a fault. */
export const RefusedStage = z.enum(['deployment', 'activation', RELEASE]).register(documented, { id: 'RefusedStage' });

export const Commits = namedObject('Commits', { agent_a: z.string(), agent_b: z.string() });

/** Maximum number of commits with which a handshake compares its commit, and of paths for each of them. */
const MAX_COMPARED = 5;
const MAX_PATHS = 200;

export const CommitHex = z.string().regex(/^[0-9a-fA-F]{7,64}$/, 'Must be 7 to 64 hex digits.');

/** By the commit with which the builder compared its commit: the paths of the files that differ. */
export const ChangedPaths = z
  .record(CommitHex, z.array(text(500)).max(MAX_PATHS))
  .refine((changes) => Object.keys(changes).length <= MAX_COMPARED, `Must name at most ${MAX_COMPARED} commits.`)
  .register(documented, { id: 'ChangedPaths' });

/** What a builder declares about its service before the verification (spec 2). */
export const HandshakeFields = {
  service: z.string(),
  version: z.string(),
  /** The declared commit in lower case. If the builder declared it in several lengths, the longest form. */
  commit: z.string(),
  environment: z.string(),
  ready: z.boolean(),
  dependencies_healthy: z.boolean(),
  branch: z.string().optional(),
  /** Where the other builder reaches the service: a URL or a command. */
  address: z.string().optional(),
  capabilities: z.array(z.string()).optional(),
  fixture_version: z.string().optional(),
  interfaces: z
    .array(z.union([z.string(), z.strictObject({ name: z.string(), version: z.string().optional() })]))
    .optional(),
  clock: z.strictObject({ now: z.string() }).optional(),
  changes: ChangedPaths.optional(),
};

const Assertion = namedObject('Assertion', {
  name: z.string(),
  expected: z.unknown(),
  actual: z.unknown(),
  passed: z.boolean(),
});

/** What a builder declares about the difference between its commit and the commit of a pass. */
export const DeclaredChange = namedObject('DeclaredChange', {
  declared_by: BuilderRole,
  since: z.string(),
  paths: z.int(),
});

/** The step that the owner refused because of a fault, and why. */
export const Refusal = z.strictObject({ stage: RefusedStage, reason: z.string() });

export const EvidenceFields = {
  kind: z.enum(EVIDENCE_KINDS).register(documented, { id: 'EvidenceKind' }),
  claim: z.string(),
  summary: z.string(),
  request_id: z.string(),
  assertions: z.array(Assertion),
  /** The commit that the builder had declared when it submitted this evidence. */
  commit: z.string(),
  /** The run of a command of which this evidence consists. Absent if the builder has written it. */
  run: StoredRun.optional(),
};

/** A workflow whose reports the owner accepts as evidence of a builder. */
export const WorkflowFields = {
  role: BuilderRole,
  forge: z.enum(['github', 'gitlab']),
  /** The issuer of its tokens, exactly as tokens name it. */
  issuer: z.string(),
  repository: z.string(),
  /** Path of the file, or the whole reference of a file in another repository. */
  workflow: z.string(),
  ref: z.string(),
};

const AttemptRef = { scenario_id: z.string(), attempt: z.int() };
const DefectRef = { defect_id: z.string(), scenario_id: z.string() };

export const verifyEvents = defineEvents({
  'handshake.declared': message({
    ...HandshakeFields,
    /** How far the agent's clock is ahead of the service's clock, in milliseconds. */
    skew_ms: z.int().optional(),
    /** Whether the builder declares another commit than before. If so, earlier passes become stale. */
    commit_changed: z.boolean(),
    previous_commit: z.string().optional(),
    /** Ids of the scenarios whose passes became stale. Absent if there are none. */
    stale_scenarios: z.array(z.string()).optional(),
  }),
  'attempt.started': message({ ...AttemptRef, commits: Commits }),
  'evidence.submitted': message(
    {
      ...AttemptRef,
      ...EvidenceFields,
      /**
       * The evidence_key of the item, and the SHA-256 of its canonical content. A repeated call is recognised by these
       * two values.
       */
      idempotency: z.strictObject({ key: z.string(), fingerprint: z.string() }).optional(),
    },
    { omit: ['idempotency'] },
  ),
  'gate.run': message({ gate_id: z.string(), stage: z.enum(GATE_STAGES), run: StoredRun }),
  /** A bound workflow has reported a run. Without `attempt`, it waits for the next attempts on its commit. */
  'evidence.reported': message(
    {
      scenario_id: z.string(),
      attempt: z.int().optional(),
      by: BuilderRole,
      ...EvidenceFields,
      run: StoredRun,
      /** Identifies the token, which counts only once: the SHA-256 of its issuer and its id. */
      token: z.strictObject({ hash: z.string(), expires_at: z.string() }),
    },
    { omit: ['token'] },
  ),
  'workflow.accepted': message(WorkflowFields),
  'workflow.withdrawn': message({ role: BuilderRole }),
  'verdict.given': message({
    ...AttemptRef,
    verdict: z.enum(VERDICTS),
    note: z.string().optional(),
    /** The differences between the result and the contract. Only a PASS can have deviations. */
    deviations: z.array(z.string()).optional(),
  }),
  'pass.carried': message({
    /** The attempt with the pass. If this pass was carried over before, still the attempt with the evidence. */
    ...AttemptRef,
    /** The commits of the attempt, on which the scenario passed. */
    verified: Commits,
    /** The declared commits, for which the pass counts now. */
    commits: Commits,
    reason: z.string(),
    /** What differs, as each builder with another commit declares it. `paths` is the number of the declared paths. */
    changes: z.array(DeclaredChange),
  }),
  'defect.opened': message({
    ...DefectRef,
    attempt: z.int(),
    assigned_to: BuilderRole,
    commits: Commits,
    /** The step that the owner refused, and why. Absent for a defect that a FAIL opened. */
    refusal: Refusal.optional(),
  }),
  'defect.reopened': message({ ...DefectRef, attempt: z.int(), commits: Commits }),
  'defect.fixed': message({ ...DefectRef, note: z.string(), commit: z.string() }),
  'defect.closed': message({ ...DefectRef, attempt: z.int() }),
  'defect.waived': message({ ...DefectRef, reason: z.string() }),
  'defect.reassigned': message({ ...DefectRef, assigned_to: BuilderRole, reason: z.string().optional() }),
});

/**
 * The content of an item of evidence, read from its event. Undefined if the event is of another kind, because after a failover another
 * event can have the same number.
 */
export function evidenceIn(event: LoggedEvent | undefined) {
  const kind = event?.kind === 'evidence.reported' ? event.kind : 'evidence.submitted';
  return verifyEvents[kind].data.safeParse(event?.data).data;
}
