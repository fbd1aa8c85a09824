import type { z } from 'zod';
import type { PersistentMap } from '../../kernel/log/persistent-collections.ts';
import type { Builder } from '../../kernel/roles.ts';
import type { EVIDENCE_KINDS } from '../document/contract.ts';
import type { HandshakeFields, REFUSED_STAGES, VERDICTS } from './events.ts';

export const ATTEMPT_STATUSES = ['OPEN', 'PASSED', 'FAILED', 'ABORTED'] as const;
export const DEFECT_STATUSES = ['OPEN', 'FIXED', 'CLOSED', 'SUPERSEDED', 'WAIVED'] as const;

export type Commits = Readonly<Record<Builder, string>>;
type Declared = Readonly<z.output<z.ZodObject<typeof HandshakeFields>>>;

export interface Handshake extends Declared {
  readonly by: Builder;
  /** How far the agent's clock was ahead of the service's clock, in milliseconds. */
  readonly skewMs: number | null;
  readonly at: string;
  /** Number of the event in which the builder first declared this commit. */
  readonly commitSeq: number;
}

/** An item of evidence. Its texts are stored only in the log. */
export interface EvidenceRef {
  readonly seq: number;
  readonly by: Builder;
  readonly kind: (typeof EVIDENCE_KINDS)[number];
  readonly requestId: string;
  readonly isFailing: boolean;
  /** The `evidence_key` of the item, and the fingerprint of its content. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string };
}

/** The `seq` of an item of evidence that is evaluated before it is stored. */
export const NOT_STORED = 0;

export interface Verdict {
  readonly by: Builder;
  readonly verdict: (typeof VERDICTS)[number];
  readonly note: string | null;
  /** The differences between the result and the contract. Absent if the verdict names none. */
  readonly deviations?: readonly string[];
  readonly at: string;
}

export interface Attempt {
  readonly number: number;
  readonly startedBy: Builder;
  readonly at: string;
  readonly commits: Commits;
  readonly status: (typeof ATTEMPT_STATUSES)[number];
  readonly evidence: readonly EvidenceRef[];
  /** Times of the first and the latest item of evidence. Null if there is no evidence. */
  readonly evidenceAt: { readonly first: string; readonly last: string } | null;
  readonly verdict: Verdict | null;
  /** Why the attempt was aborted. Null for any other attempt. */
  readonly reason: string | null;
}

/** What a builder declared about the difference between its commit and the commit of a pass. */
export interface DeclaredChange {
  readonly declared_by: Builder;
  readonly since: string;
  /** Number of the declared paths. */
  readonly paths: number;
}

interface CarriedPass {
  readonly by: Builder | 'owner';
  readonly reason: string;
  /** The commits of the attempt, on which the scenario passed. */
  readonly verified: Commits;
  readonly commits: Commits;
  readonly changes: readonly DeclaredChange[];
  readonly at: string;
}

export interface ScenarioRecord {
  readonly outcome: 'PASSED' | 'FAILED' | 'STALE' | null;
  /** Time since which the scenario has this outcome. Null if the scenario has no outcome. */
  readonly outcomeAt: string | null;
  /** How the pass counts for the declared commits without a rerun. Absent unless the pass was carried over. */
  readonly carried?: CarriedPass;
  /** Why the last pass became stale. Null if no pass became stale after the last verdict. */
  readonly reason: string | null;
  readonly attempts: readonly Attempt[];
  /** The attempts for earlier manifests. Their numbers are not used again. */
  readonly earlier: readonly Pick<Attempt, 'number' | 'status'>[];
}

export interface Defect {
  readonly defectId: string;
  readonly scenarioId: string;
  /** Number of the last attempt whose FAIL opened or reopened the defect. */
  readonly attempt: number;
  readonly assignedTo: Builder;
  readonly status: (typeof DEFECT_STATUSES)[number];
  /** The declared commits of both builders in the last failed attempt. */
  readonly commits: Commits;
  /** Number of the event in which the last failed attempt opened or reopened the defect. */
  readonly failedSeq: number;
  readonly fix: { readonly by: Builder; readonly note: string; readonly commit: string; readonly at: string } | null;
  readonly waiverReason: string | null;
  /** The step that the owner refused because of the fault, and why. Absent if a FAIL opened the defect. */
  readonly refusal?: { readonly stage: (typeof REFUSED_STAGES)[number]; readonly reason: string };
  /** The reassignments of the defect by the owner, oldest first. Absent if there are none. */
  readonly reassigned?: readonly Reassignment[];
  readonly at: string;
}

interface Reassignment {
  readonly seq: number;
  readonly from: Builder;
  readonly to: Builder;
  readonly at: string;
  /** Absent if the owner gave no reason. */
  readonly reason?: string;
}

export interface VerifyState {
  readonly handshakes: Readonly<Partial<Record<Builder, Handshake>>>;
  readonly scenarios: PersistentMap<ScenarioRecord>;
  readonly defects: PersistentMap<Defect>;
}

export const UNTRIED: ScenarioRecord = { outcome: null, outcomeAt: null, reason: null, attempts: [], earlier: [] };
