import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { Builder } from '../../kernel/roles.ts';
import { RELEASE } from '../approvals/events.ts';
import { EVIDENCE_KINDS, GATE_STAGES } from '../document/contract.ts';
import { BuilderRole, EVIDENCE_LEVELS, type EvidenceLevel, text } from '../fields.ts';

/** The whole id of a commit, SHA-1 or SHA-256, in lower case. */
export const WHOLE_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

const REPORT_FORMATS = ['junit', 'ctrf', 'tap'] as const;
const RESULTS = ['passed', 'failed', 'skipped'] as const;

const MAX_TESTS = 100_000;
/** Maximum number of tests that a run lists. A run with fewer lists all of them. */
const LISTED_TESTS = 100;
const Count = z.int().min(0).max(MAX_TESTS);

export const ReportInput = z
  .strictObject({
    format: z.enum(REPORT_FORMATS),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, 'Must be 64 lower-case hex digits.'),
    size: z.int().min(1).max(50_000_000),
    passed: Count,
    failed: Count,
    skipped: Count,
    /** First the tests that the contract names, then those that failed, then others. */
    tests: z
      .array(z.strictObject({ name: text(300), suite: text(300).optional(), status: z.enum(RESULTS) }))
      .max(LISTED_TESTS),
  })
  .superRefine(({ tests, ...counts }, issues) => {
    const refuse = (member: string, message: string): void =>
      issues.addIssue({ code: 'custom', path: [member], message });
    for (const status of RESULTS) {
      const listed = tests.filter((test) => test.status === status).length;
      // A failure can belong to no test, such as that of a suite that did not start.
      const isWhole = tests.length < LISTED_TESTS && status !== 'failed';
      if (listed > counts[status] || (isWhole && listed < counts[status]))
        refuse(status, `Is ${counts[status]}, but tests lists ${listed}.`);
    }
  });

/**
 * A run of a command, in the form in which `parley verify run` sends it. Whoever holds the token of an agent can send
 * this form too: it says what the item is, and proves nothing.
 */
export const RunInput = z.strictObject({
  argv: z.array(z.string().max(500)).min(1).max(50),
  /** Null if a signal ended the command. */
  exit_code: z.int().nullable(),
  signal: z
    .string()
    .regex(/^SIG[A-Z0-9]{2,12}$/, 'Must be the name of a signal.')
    .optional(),
  duration_ms: z
    .int()
    .min(0)
    .max(7 * 24 * 3_600_000),
  commit: z.string().regex(WHOLE_COMMIT, 'Must be the whole id of a commit, in lower case.'),
  dirty: z.boolean(),
  report: ReportInput.optional(),
  /** The end of what the command printed. */
  output: z.string().max(2_000).optional(),
});
type RunInput = z.output<typeof RunInput>;

/** Why a run does not count as recorded. */
const SHORTFALLS = ['OTHER_COMMIT', 'DIRTY_TREE', 'NO_TEST_RUN', 'OTHER_COMMAND'] as const;

/** A test that the contract names, and what the report of a run says about it. */
const NamedTest = namedObject('NamedTest', { name: z.string(), status: z.enum([...RESULTS, 'missing']) });

const RunFindings = {
  not_recorded: z.array(z.enum(SHORTFALLS)).optional().describe('Why the run does not count as recorded.'),
  /** The tests that the contract names for the builder. Absent if it names none. */
  named: z.array(NamedTest).optional(),
};

/** The run of a workflow, as the token of its issuer names it. Only the service itself adds it to a run. */
const WorkflowRun = namedObject('WorkflowRun', {
  issuer: z.string(),
  repository: z.string(),
  workflow: z.string(),
  ref: z.string(),
  /** The number of the run and, if the issuer names it, of its attempt. */
  run_id: z.string(),
});

/** A run as events store it. The limits of the input may change; stored events stay readable. */
const StoredRun = namedObject('RecordedRun', {
  argv: z.array(z.string()),
  exit_code: z.int().nullable(),
  signal: z.string().optional(),
  /** Absent for a run of a workflow, as is `dirty`. */
  duration_ms: z.int().optional(),
  commit: z.string(),
  dirty: z.boolean().optional(),
  report: z
    .strictObject({
      format: z.string(),
      sha256: z.string(),
      size: z.int(),
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
      tests: z.array(z.strictObject({ name: z.string(), suite: z.string().optional(), status: z.string() })),
    })
    .optional(),
  output: z.string().optional(),
  /** Whose declared commit the run was on. Absent if it was on neither. */
  on: BuilderRole.optional(),
  workflow: WorkflowRun.optional(),
  ...RunFindings,
});
type StoredRun = z.output<typeof StoredRun>;

/** What the state keeps of a run. Members are absent for a run of an agent without fault, names and report. */
export interface RunState extends Readonly<Pick<StoredRun, keyof typeof RunFindings>> {
  readonly report_sha256?: string;
  readonly ci?: true;
}

export const runState = ({ not_recorded, named, report, workflow }: StoredRun): RunState => ({
  ...(workflow && { ci: true as const }),
  ...(not_recorded && { not_recorded }),
  ...(named && { named }),
  ...(report && { report_sha256: report.sha256 }),
});

/**
 * A run with what the service finds out about it.
 *
 * @param on whose declared commit the run was on; undefined if it was on none
 * @param asked the tests that the contract names for the builder, and the command if it names one
 */
export function storedRun(
  run: RunInput,
  on: Builder | undefined,
  { names, command }: { readonly names: readonly string[]; readonly command?: string | undefined },
): StoredRun {
  const { report, dirty } = run;
  const not_recorded = [
    ...(on ? [] : (['OTHER_COMMIT'] as const)),
    ...(dirty ? (['DIRTY_TREE'] as const) : []),
    ...(report && report.passed + report.failed === 0 ? (['NO_TEST_RUN'] as const) : []),
    ...(command !== undefined && words(command) !== words(run.argv.join(' ')) ? (['OTHER_COMMAND'] as const) : []),
  ];
  return {
    ...run,
    ...(on && { on }),
    ...(not_recorded.length > 0 && { not_recorded }),
    ...(names.length > 0 && { named: namedTests(names, run) }),
  };
}

/** A command line without needless blanks. */
const words = (line: string): string => line.trim().replace(/\s+/g, ' ');

/** Whether a run cannot lead to a PASS: the command, a test of its report, or a test that the contract names has failed. */
export const hasFailed = ({ exit_code, report, named = [] }: StoredRun): boolean =>
  exit_code !== 0 || (report?.failed ?? 0) > 0 || named.some(({ status }) => status === 'failed');

/** The level of an item of evidence. An item without a run is what an agent has written. */
export function levelOfItem({ run }: { readonly run?: RunState | undefined }): EvidenceLevel {
  if (!run || run.not_recorded) return 'claimed';
  return run.ci ? 'ci' : 'recorded';
}

export const isAtLeast = (level: EvidenceLevel, least: EvidenceLevel): boolean =>
  EVIDENCE_LEVELS.indexOf(level) >= EVIDENCE_LEVELS.indexOf(least);

/**
 * What a report says about the tests that the contract names. A name is that of a test, or its suite, ` > ` and its name.
 * If the report has a test more than once, its worst result counts.
 */
export const namedTests = (
  names: readonly string[],
  { report }: Pick<RunInput, 'report'>,
): z.output<typeof NamedTest>[] =>
  names.map((name) => {
    const found = (report?.tests ?? []).filter(
      (test) => test.name === name || (test.suite !== undefined && `${test.suite} > ${test.name}` === name),
    );
    const status = (['failed', 'skipped', 'passed'] as const).find((one) => found.some((test) => test.status === one));
    return { name, status: status ?? 'missing' };
  });

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
