import { z } from 'zod';
import {
  emptyMap,
  entries,
  lookUp,
  type PersistentMap,
  persistentMapOf,
  valuesOf,
  withEntry,
} from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Builder, isBuilder } from '../../kernel/roles.ts';
import { AttachmentView } from '../attachments/state.ts';
import type { EventOf, Slice } from '../catalog.ts';
import { At, BuilderRole, DefectId, EvidenceLevelName, MessageCursor, Party } from '../fields.ts';
import {
  Commits,
  DeclaredChange,
  EvidenceFields,
  HandshakeFields,
  hasFailed,
  Refusal,
  type RunState,
  runState,
  VERDICTS,
  WorkflowFields,
} from './events.ts';

/**
 * The builder that an event names as its actor.
 * @throws Error if the actor is not a builder
 */
function builderOf(actor: string): Builder {
  if (isBuilder(actor)) return actor;
  throw new Error(`An event contains a builder's step by ${actor}, who is not a builder.`);
}

/** Two texts name the same commit if one is the beginning of the other. Letter case is ignored. */
export const isSameCommit = (one: string, other: string): boolean =>
  one.toLowerCase().startsWith(other.toLowerCase()) || other.toLowerCase().startsWith(one.toLowerCase());

export const longerCommit = (one: string, other: string): string =>
  (one.length >= other.length ? one : other).toLowerCase();

/** The first characters of a commit, for a sentence. */
export const shortCommit = (commit: string): string => commit.slice(0, 12);

export const HandshakeView = namedObject('Handshake', {
  by: BuilderRole,
  ...HandshakeFields,
  skew_ms: z.int().nullable().describe('Milliseconds by which the clock of the agent is ahead of the clock of Parley.'),
  declared_at: At,
});

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
  .strictObject({
    ...EvidenceRef.shape,
    level: EvidenceLevelName,
    ...z.strictObject({ ...body, submitted_at: At }).partial().shape,
  })
  .describe('Has claim, summary, assertions and run only if scenario_id was sent.');
documented.add(EvidenceView, { id: 'Evidence' });

export interface Evidence extends Readonly<z.output<typeof EvidenceRef>> {
  /** The `evidence_key` of the item, and the fingerprint of its content. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | undefined;
  /** Absent if the builder has written the item. */
  readonly run?: RunState | undefined;
}

/** The `message_id` of an item of evidence that is evaluated before it is stored. */
export const NOT_STORED = 0;

export const EvaluationView = namedObject('Evaluation', {
  met: z.boolean().describe('Whether the evidence is enough for a PASS.'),
  request_id: z.string().nullable(),
  missing: z.array(z.string()),
  failing: z.array(z.string()),
});

export const AttemptView = namedObject('Attempt', {
  attempt: z.int(),
  status: z.enum(['OPEN', 'PASSED', 'FAILED', 'ABORTED']),
  started_by: BuilderRole,
  started_at: At,
  commits: Commits,
  evidence_count: z.int(),
  evidence: z.array(EvidenceView),
  attachments: z.array(AttachmentView).optional(),
  evaluation: EvaluationView,
  level: EvidenceLevelName.nullable().describe(
    'Of the evidence that is enough for a PASS; null while it is not enough.',
  ),
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

type Shown = 'attempt' | 'status' | 'started_by' | 'started_at' | 'commits' | 'verdict' | 'reason';

export interface Attempt extends Readonly<Pick<z.output<typeof AttemptView>, Shown>> {
  readonly evidence: readonly Evidence[];
  /** Times of the first and the latest item of evidence. Null if there is no evidence. */
  readonly evidence_at: { readonly first: string; readonly last: string } | null;
}

/** How a stale pass counts for other commits without a rerun. The reason is that of `by`; `paths` counts what was declared. */
export const CarriedView = namedObject('Carried', {
  by: Party,
  reason: z.string(),
  verified: Commits.describe('Of the attempt.'),
  commits: Commits,
  changes: z.array(DeclaredChange),
  carried_at: At,
});

export const DefectView = namedObject('Defect', {
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

export interface ScenarioRecord {
  readonly outcome: 'PASSED' | 'FAILED' | 'STALE' | null;
  /** Time since which the scenario has this outcome. Null if the scenario has no outcome. */
  readonly outcome_at: string | null;
  /** How the pass counts for the declared commits without a rerun. Absent unless the pass was carried over. */
  readonly carried?: Readonly<z.output<typeof CarriedView>>;
  /** Why the last pass became stale. Null if no pass became stale after the last verdict. */
  readonly reason: string | null;
  readonly attempts: readonly Attempt[];
  /** The attempts for earlier manifests. Their numbers are not used again. */
  readonly earlier: readonly Pick<Attempt, 'attempt' | 'status'>[];
}

/** The last run for a gate. */
interface GateRecord extends RunState {
  readonly message_id: number;
  readonly by: Builder;
  readonly commit: string;
  readonly failed: boolean;
}

export const WorkflowView = namedObject('Workflow', WorkflowFields);

export interface Workflow extends Readonly<z.output<typeof WorkflowView>> {
  /** Number of events with its reports. */
  readonly reports: number;
}

/** The latest report of a workflow for a scenario and a builder. It counts for each attempt on its commit. */
interface Report {
  readonly item: Evidence;
  readonly commit: string;
}

export interface VerifyState {
  /** The workflow that the owner has bound for each builder. */
  readonly workflows: Readonly<Partial<Record<Builder, Workflow>>>;
  /** By the id of the scenario and the builder. */
  readonly reports: PersistentMap<Report>;
  /** The tokens of reports that had not expired at the last report. Each counts only once. */
  readonly tokens: readonly EventOf<'evidence.reported'>['data']['token'][];
  readonly handshakes: Readonly<Partial<Record<Builder, Handshake>>>;
  readonly scenarios: PersistentMap<ScenarioRecord>;
  readonly defects: PersistentMap<Defect>;
  readonly gates: PersistentMap<GateRecord>;
}

export const UNTRIED: ScenarioRecord = { outcome: null, outcome_at: null, reason: null, attempts: [], earlier: [] };

export const verifySlice: Slice<VerifyState> = {
  empty: {
    workflows: {},
    reports: emptyMap(),
    tokens: [],
    handshakes: {},
    scenarios: emptyMap(),
    defects: emptyMap(),
    gates: emptyMap(),
  },
  folds: {
    'contract.approved': superseded,
    'changes.requested': superseded,
    'handshake.declared': declared,
    'attempt.started': started,
    'evidence.submitted': evidenced,
    'gate.run': (verify, { actor, seq, data: { gate_id, run } }) => {
      const { commit } = run;
      const record = { message_id: seq, by: builderOf(actor), commit, failed: hasFailed(run), ...runState(run) };
      return { ...verify, gates: withEntry(verify.gates, gate_id, record) };
    },
    'evidence.reported': reported,
    'workflow.accepted': (verify, { data }) => ({
      ...withoutReports(verify, data.role),
      workflows: { ...verify.workflows, [data.role]: { ...data, reports: 0 } },
    }),
    'workflow.withdrawn': (verify, { data: { role } }) => {
      const { [role]: _, ...workflows } = verify.workflows;
      return { ...withoutReports(verify, role), workflows };
    },
    'verdict.given': judged,
    'pass.carried': carried,
    'defect.opened': opened,
    'defect.reopened': (verify, { data, seq }) => withDefect(verify, { ...data, status: 'OPEN', failed_seq: seq }),
    'defect.fixed': (verify, { actor, at, data: { defect_id, note, commit } }) =>
      withDefect(verify, {
        defect_id,
        status: 'FIXED',
        fix: { note, commit, fixed_at: at },
        fixed_by: builderOf(actor),
      }),
    'defect.closed': (verify, { data: { defect_id } }) => withDefect(verify, { defect_id, status: 'CLOSED' }),
    'defect.waived': (verify, { data: { defect_id, reason } }) =>
      withDefect(verify, { defect_id, status: 'WAIVED', waiver_reason: reason }),
    'defect.reassigned': reassigned,
  },
};

/**
 * Prepares the verification for a new manifest, which has its own scenarios. Aborts the open attempts and ends the
 * defects of the earlier manifest. The numbers of new attempts follow the numbers of the earlier attempts.
 */
function superseded(verify: VerifyState): VerifyState {
  let { scenarios, defects } = verify;
  for (const [id, { earlier, attempts }] of entries(scenarios)) {
    const over = attempts.map(({ attempt, status }) => ({
      attempt,
      status: status === 'OPEN' ? ('ABORTED' as const) : status,
    }));
    scenarios = withEntry(scenarios, id, { ...UNTRIED, earlier: [...earlier, ...over] });
  }
  for (const defect of valuesOf(defects)) {
    if (defect.status !== 'OPEN' && defect.status !== 'FIXED') continue;
    defects = withEntry(defects, defect.defect_id, { ...defect, status: 'SUPERSEDED' });
  }
  return { ...verify, handshakes: {}, reports: emptyMap(), scenarios, defects, gates: emptyMap() };
}

const abortedIfOpen = (attempt: Attempt, reason: string): Attempt =>
  attempt.status === 'OPEN' ? { ...attempt, status: 'ABORTED', reason } : attempt;

function declared(verify: VerifyState, { actor, data, seq, at }: EventOf<'handshake.declared'>): VerifyState {
  const by = builderOf(actor);
  const { skew_ms = null, commit_changed, previous_commit, stale_scenarios: _, ...fields } = data;
  const before = verify.handshakes[by];
  const commit_seq = before && !commit_changed ? before.commit_seq : seq;
  const changes = fields.changes ?? (commit_changed ? undefined : before?.changes);
  const handshake = { ...fields, ...(changes ? { changes } : {}), by, skew_ms, declared_at: at, commit_seq };
  const handshakes = { ...verify.handshakes, [by]: handshake };
  if (!commit_changed) return { ...verify, handshakes };
  const reason = `${by} declared commit ${data.commit} instead of ${previous_commit ?? 'another'}.`;
  return {
    ...verify,
    handshakes,
    scenarios: onNewCommit(verify.scenarios, reason, at),
    defects: onCommitTakenBack(verify.defects, by, data.commit),
  };
}

/**
 * Reopens a fixed defect if the builder that fixed it declares again the commit with which the defect was found.
 */
function onCommitTakenBack(defects: PersistentMap<Defect>, by: Builder, commit: string): PersistentMap<Defect> {
  const unmended = valuesOf(defects).filter(
    ({ status, fixed_by, commits }) => status === 'FIXED' && fixed_by === by && isSameCommit(commit, commits[by]),
  );
  return unmended.reduce((all, defect) => withEntry(all, defect.defect_id, { ...defect, status: 'OPEN' }), defects);
}

/** After a builder has declared another commit, marks passed scenarios as stale and aborts open attempts. */
function onNewCommit(
  scenarios: PersistentMap<ScenarioRecord>,
  reason: string,
  at: string,
): PersistentMap<ScenarioRecord> {
  let changed = scenarios;
  for (const [id, { carried: _, ...scenario }] of entries(scenarios)) {
    const attempts = scenario.attempts.map((attempt) => abortedIfOpen(attempt, reason));
    const stale = scenario.outcome === 'PASSED' ? { outcome: 'STALE' as const, outcome_at: at, reason } : {};
    changed = withEntry(changed, id, { ...scenario, ...stale, attempts });
  }
  return changed;
}

function started(verify: VerifyState, { actor, data, at }: EventOf<'attempt.started'>): VerifyState {
  const { scenario_id, ...begun } = data;
  const waiting = BUILDERS.flatMap((by) => {
    const report = lookUp(verify.reports, reportKey(scenario_id, by));
    return report?.commit === data.commits[by] ? [report] : [];
  });
  const attempt: Attempt = {
    ...begun,
    status: 'OPEN',
    started_by: builderOf(actor),
    started_at: at,
    evidence: waiting.map(({ item }) => item),
    evidence_at: waiting.length > 0 ? { first: at, last: at } : null,
    verdict: null,
    reason: null,
  };
  return onScenario(verify, scenario_id, ({ attempts }) => ({ attempts: [...attempts, attempt] }));
}

function evidenced(verify: VerifyState, { actor, data, seq, at }: EventOf<'evidence.submitted'>): VerifyState {
  const { idempotency } = data;
  const item = { ...itemOf(builderOf(actor), data, seq), ...(idempotency && { idempotency }) };
  const after = withItem(verify, data, item, at);
  return item.failed ? doubted(after, data, at) : after;
}

function itemOf(
  by: Builder,
  data: Pick<EventOf<'evidence.submitted'>['data'], 'kind' | 'request_id' | 'assertions' | 'run'>,
  message_id: number,
): Evidence {
  const { kind, request_id, assertions, run } = data;
  const failed = assertions.some(({ passed }) => !passed) || (run !== undefined && hasFailed(run));
  return { message_id, by, kind, request_id, failed, ...(run && { run: runState(run) }) };
}

const withItem = (verify: VerifyState, ref: AttemptRef, item: Evidence, at: string): VerifyState =>
  onAttempt(verify, ref, ({ evidence, evidence_at }) => ({
    evidence: [...evidence, item],
    evidence_at: { first: evidence_at?.first ?? at, last: at },
  }));

const reportKey = (scenarioId: string, by: Builder): string => `${scenarioId} ${by}`;

function reported(verify: VerifyState, { data, seq, at }: EventOf<'evidence.reported'>): VerifyState {
  const { scenario_id, attempt, by, commit, token } = data;
  const item = itemOf(by, data, seq);
  const own = verify.workflows[by];
  const others = verify.tokens.filter(({ hash, expires_at }) => hash !== token.hash && expires_at > at);
  const after = {
    ...verify,
    ...(own && { workflows: { ...verify.workflows, [by]: { ...own, reports: own.reports + 1 } } }),
    reports: withEntry(verify.reports, reportKey(scenario_id, by), { item, commit }),
    tokens: [...others, token],
  };
  return attempt === undefined ? after : withItem(after, { scenario_id, attempt }, item, at);
}

/** Whether a builder has declared this commit. False before its first handshake. */
export function isDeclaredBy({ handshakes }: VerifyState, builder: Builder, commit: string): boolean {
  const declared = handshakes[builder]?.commit;
  return declared !== undefined && isSameCommit(commit, declared);
}

/** Without the reports that wait: they are those of a workflow that is no longer bound. */
const withoutReports = (verify: VerifyState, role: Builder): VerifyState => ({
  ...verify,
  reports: persistentMapOf(entries(verify.reports).filter(([, { item }]) => item.by !== role)),
});

/**
 * Reopens a passed attempt if new evidence has a failed assertion. Only logs of earlier versions have such evidence. The scenario then has the outcome of its last
 * attempt with a verdict.
 */
function doubted(verify: VerifyState, ref: AttemptRef, at: string): VerifyState {
  const isPassed = ({ attempt, status }: Attempt) => attempt === ref.attempt && status === 'PASSED';
  if (!lookUp(verify.scenarios, ref.scenario_id)?.attempts.some(isPassed)) return verify;
  const reopened = onAttempt(verify, ref, () => ({ status: 'OPEN', verdict: null }));
  return onScenario(reopened, ref.scenario_id, ({ attempts }) => {
    const before = attempts.findLast(({ verdict }) => verdict !== null);
    return { outcome: before ? (before.status === 'FAILED' ? 'FAILED' : 'PASSED') : null, outcome_at: at };
  });
}

function judged(verify: VerifyState, { actor, data, at }: EventOf<'verdict.given'>): VerifyState {
  const outcome = data.verdict === 'PASS' ? 'PASSED' : 'FAILED';
  const { scenario_id, attempt: _, verdict, note = null, ...rest } = data;
  const given = { by: builderOf(actor), verdict, note, given_at: at, ...rest };
  const ended = onAttempt(verify, data, () => ({ status: outcome, verdict: given }));
  return settled(ended, scenario_id, { outcome, outcome_at: at, reason: null });
}

/** Lets the stale pass of a scenario count for the declared commits. */
function carried(verify: VerifyState, { actor, data, at }: EventOf<'pass.carried'>): VerifyState {
  const { scenario_id, attempt: _, reason, ...rest } = data;
  const by = actor === 'owner' ? actor : builderOf(actor);
  return onScenario(verify, scenario_id, () => ({
    outcome: 'PASSED',
    outcome_at: at,
    reason: null,
    carried: { reason, by, ...rest, carried_at: at },
  }));
}

/** After a refusal of the owner, the scenario counts as failed, so that it has to run again. */
function opened(verify: VerifyState, { data, seq, at }: EventOf<'defect.opened'>): VerifyState {
  const defect: Defect = {
    ...data,
    status: 'OPEN',
    fix: null,
    waiver_reason: null,
    opened_at: at,
    failed_seq: seq,
    fixed_by: null,
  };
  const after = { ...verify, defects: withEntry(verify.defects, data.defect_id, defect) };
  if (!data.refusal || !lookUp(verify.scenarios, data.scenario_id)) return after;
  return settled(after, data.scenario_id, { outcome: 'FAILED', outcome_at: at, reason: null });
}

function reassigned(verify: VerifyState, { seq, at, data }: EventOf<'defect.reassigned'>): VerifyState {
  const { defect_id, assigned_to, reason } = data;
  const { assigned_to: from, reassigned: before = [] } = known(verify, defect_id);
  const step = { message_id: seq, from, to: assigned_to, at, ...(reason === undefined ? {} : { reason }) };
  return withDefect(verify, { defect_id, assigned_to, reassigned: [...before, step] });
}

interface AttemptRef {
  readonly scenario_id: string;
  readonly attempt: number;
}

type Change<R> = (record: R) => Partial<R>;

const onScenario = (verify: VerifyState, id: string, change: Change<ScenarioRecord>): VerifyState => {
  const scenario = lookUp(verify.scenarios, id) ?? UNTRIED;
  return { ...verify, scenarios: withEntry(verify.scenarios, id, { ...scenario, ...change(scenario) }) };
};

const onAttempt = (verify: VerifyState, ref: AttemptRef, change: Change<Attempt>): VerifyState =>
  onScenario(verify, ref.scenario_id, ({ attempts }) => ({
    attempts: attempts.map((one) => (one.attempt === ref.attempt ? { ...one, ...change(one) } : one)),
  }));

/** Gives a scenario a new outcome, for which no earlier pass is carried over. */
function settled(verify: VerifyState, id: string, result: Partial<ScenarioRecord>): VerifyState {
  const { carried: _, ...scenario } = lookUp(verify.scenarios, id) ?? UNTRIED;
  return { ...verify, scenarios: withEntry(verify.scenarios, id, { ...scenario, ...result }) };
}

const withDefect = (verify: VerifyState, change: Partial<Defect> & Pick<Defect, 'defect_id'>): VerifyState => ({
  ...verify,
  defects: withEntry(verify.defects, change.defect_id, { ...known(verify, change.defect_id), ...change }),
});

function known({ defects }: VerifyState, id: string): Defect {
  const defect = lookUp(defects, id);
  if (!defect) throw new Error(`An event refers to defect ${id}, which was never opened.`);
  return defect;
}
