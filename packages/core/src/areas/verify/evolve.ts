import {
  emptyMap,
  entries,
  lookUp,
  type PersistentMap,
  valuesOf,
  withEntry,
} from '../../kernel/log/persistent-collections.ts';
import type { Builder } from '../../kernel/roles.ts';
import type { EventOf } from '../catalog.ts';
import type { Slice } from '../slice.ts';
import { builderOf } from './builder-of.ts';
import { isSameCommit } from './commits.ts';
import { defectFolds } from './evolve-defect.ts';
import {
  type Attempt,
  type Defect,
  type EvidenceRef,
  type Handshake,
  type ScenarioRecord,
  UNTRIED,
  type Verdict,
  type VerifyState,
} from './state.ts';

interface AttemptRef {
  readonly scenario_id: string;
  readonly attempt: number;
}

export const verifySlice: Slice<VerifyState> = {
  empty: {
    handshakes: {},
    scenarios: emptyMap(),
    defects: emptyMap(),
  },
  folds: {
    'contract.approved': superseded,
    'changes.requested': superseded,
    'handshake.declared': declared,
    'attempt.started': started,
    'evidence.submitted': evidenced,
    'verdict.given': judged,
    'pass.carried': carried,
    ...defectFolds,
  },
};

/**
 * Prepares the verification for a new manifest, which has its own scenarios. Aborts the open attempts and ends the
 * defects of the earlier manifest. The numbers of new attempts follow the numbers of the earlier attempts.
 */
function superseded(verify: VerifyState): VerifyState {
  let { scenarios, defects } = verify;
  for (const [id, { earlier, attempts }] of entries(scenarios)) {
    const over = attempts.map(({ number, status }) => ({
      number,
      status: status === 'OPEN' ? ('ABORTED' as const) : status,
    }));
    scenarios = withEntry(scenarios, id, { ...UNTRIED, earlier: [...earlier, ...over] });
  }
  for (const defect of valuesOf(defects)) {
    if (defect.status !== 'OPEN' && defect.status !== 'FIXED') continue;
    defects = withEntry(defects, defect.defectId, { ...defect, status: 'SUPERSEDED' });
  }
  return { handshakes: {}, scenarios, defects };
}

const abortedIfOpen = (attempt: Attempt, reason: string): Attempt =>
  attempt.status === 'OPEN' ? { ...attempt, status: 'ABORTED', reason } : attempt;

function declared(verify: VerifyState, { actor, data, seq, at }: EventOf<'handshake.declared'>): VerifyState {
  const by = builderOf(actor);
  const { skew_ms = null, commit_changed, previous_commit, stale_scenarios: _, ...fields } = data;
  const before = verify.handshakes[by];
  const commitSeq = before && !commit_changed ? before.commitSeq : seq;
  const changes = fields.changes ?? (commit_changed ? undefined : before?.changes);
  const handshake: Handshake = { ...fields, ...(changes ? { changes } : {}), by, skewMs: skew_ms, at, commitSeq };
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
    ({ status, fix, commits }) => status === 'FIXED' && fix?.by === by && isSameCommit(commit, commits[by]),
  );
  return unmended.reduce((all, defect) => withEntry(all, defect.defectId, { ...defect, status: 'OPEN' }), defects);
}

/** After a builder has declared another commit, marks passed scenarios as stale and aborts open attempts. */
function onNewCommit(
  scenarios: PersistentMap<ScenarioRecord>,
  reason: string,
  at: string,
): PersistentMap<ScenarioRecord> {
  let changed = scenarios;
  for (const [id, { carried: _, ...scenario }] of entries(scenarios)) {
    const isStale = scenario.outcome === 'PASSED';
    changed = withEntry(changed, id, {
      ...scenario,
      outcome: isStale ? 'STALE' : scenario.outcome,
      outcomeAt: isStale ? at : scenario.outcomeAt,
      reason: isStale ? reason : scenario.reason,
      attempts: scenario.attempts.map((attempt) => abortedIfOpen(attempt, reason)),
    });
  }
  return changed;
}

function started(verify: VerifyState, { actor, data, at }: EventOf<'attempt.started'>): VerifyState {
  const attempt: Attempt = {
    number: data.attempt,
    startedBy: builderOf(actor),
    at,
    commits: data.commits,
    status: 'OPEN',
    evidence: [],
    evidenceAt: null,
    verdict: null,
    reason: null,
  };
  const before = lookUp(verify.scenarios, data.scenario_id) ?? UNTRIED;
  const scenario = { ...before, attempts: [...before.attempts, attempt] };
  return { ...verify, scenarios: withEntry(verify.scenarios, data.scenario_id, scenario) };
}

function evidenced(verify: VerifyState, { actor, data, seq, at }: EventOf<'evidence.submitted'>): VerifyState {
  const item: EvidenceRef = {
    seq,
    by: builderOf(actor),
    kind: data.kind,
    requestId: data.request_id,
    isFailing: data.assertions.some(({ passed }) => !passed),
    ...(data.idempotency ? { idempotency: data.idempotency } : {}),
  };
  const after = onAttempt(verify, data, (attempt) => ({
    ...attempt,
    evidence: [...attempt.evidence, item],
    evidenceAt: { first: attempt.evidenceAt?.first ?? at, last: at },
  }));
  return item.isFailing ? doubted(after, data, at) : after;
}

/**
 * Reopens a passed attempt if new evidence has a failed assertion. Only logs of earlier versions have such evidence. The scenario then has the outcome of its last
 * attempt with a verdict.
 */
function doubted(verify: VerifyState, { scenario_id, attempt: number }: AttemptRef, at: string): VerifyState {
  const scenario = lookUp(verify.scenarios, scenario_id) ?? UNTRIED;
  if (!scenario.attempts.some((attempt) => attempt.number === number && attempt.status === 'PASSED')) return verify;
  const attempts = scenario.attempts.map((attempt) =>
    attempt.number === number ? { ...attempt, status: 'OPEN' as const, verdict: null } : attempt,
  );
  const before = attempts.findLast(({ verdict }) => verdict !== null);
  const outcome = before ? (before.status === 'FAILED' ? 'FAILED' : 'PASSED') : null;
  return {
    ...verify,
    scenarios: withEntry(verify.scenarios, scenario_id, { ...scenario, outcome, outcomeAt: at, attempts }),
  };
}

function judged(verify: VerifyState, { actor, data, at }: EventOf<'verdict.given'>): VerifyState {
  const outcome = data.verdict === 'PASS' ? 'PASSED' : 'FAILED';
  const { note = null, deviations } = data;
  const by = builderOf(actor);
  const verdict: Verdict = { by, verdict: data.verdict, note, at, ...(deviations ? { deviations } : {}) };
  const ended = onAttempt(verify, data, (attempt) => ({ ...attempt, status: outcome, verdict }));
  const { carried: _, ...scenario } = lookUp(ended.scenarios, data.scenario_id) ?? UNTRIED;
  return {
    ...ended,
    scenarios: withEntry(ended.scenarios, data.scenario_id, { ...scenario, outcome, outcomeAt: at, reason: null }),
  };
}

/** Lets the stale pass of a scenario count for the declared commits. */
function carried(verify: VerifyState, { actor, data, at }: EventOf<'pass.carried'>): VerifyState {
  const { scenario_id, attempt: _, ...rest } = data;
  const scenario = lookUp(verify.scenarios, scenario_id) ?? UNTRIED;
  const by = actor === 'owner' ? actor : builderOf(actor);
  const passed = { ...scenario, outcome: 'PASSED' as const, outcomeAt: at, reason: null, carried: { ...rest, by, at } };
  return { ...verify, scenarios: withEntry(verify.scenarios, scenario_id, passed) };
}

function onAttempt(
  verify: VerifyState,
  { scenario_id, attempt: number }: AttemptRef,
  change: (attempt: Attempt) => Attempt,
): VerifyState {
  const scenario = lookUp(verify.scenarios, scenario_id) ?? UNTRIED;
  const attempts = scenario.attempts.map((attempt) => (attempt.number === number ? change(attempt) : attempt));
  return { ...verify, scenarios: withEntry(verify.scenarios, scenario_id, { ...scenario, attempts }) };
}
