import { EMPTY_MODERATION, isOpen, type Moderation } from '../model/moderation.ts';
import type { Call } from '../model/world.ts';
import { BUILDERS, type Builder, CHECKS, type Check } from './build.ts';

export type Commits = Readonly<Record<Builder, string>>;

interface Declared {
  readonly commit: string;
  readonly isFit: boolean;
  readonly isOnFixture: boolean;
  /** Number of the step in which the commit was first declared. */
  readonly since: number;
  /** The earlier commits from which the builder declares what differs. */
  readonly compared: readonly string[];
}

interface Item {
  readonly by: Builder;
  readonly run: string;
  readonly kind: string;
  readonly isFailing: boolean;
  readonly key: string | null;
  /** Contents of the item of evidence. Another item of the builder with the same `key` must have the same contents. */
  readonly said: string;
}

export interface Attempt {
  readonly scenario: string;
  readonly number: number;
  readonly manifest: number;
  readonly starter: string;
  readonly commits: Commits;
  readonly status: 'OPEN' | 'PASSED' | 'FAILED' | 'ABORTED';
  readonly judge: string | null;
  readonly isStale: boolean;
  /** Whether the pass counts for other commits than those of the attempt. */
  readonly isCarried: boolean;
  /** Whether the owner refused a step because of a fault that the pass did not show. */
  readonly isRefused: boolean;
  readonly deviates: boolean;
  readonly items: readonly Item[];
}

interface Defect {
  readonly scenario: string;
  readonly assignee: string;
  readonly status: 'OPEN' | 'FIXED' | 'CLOSED' | 'SUPERSEDED' | 'WAIVED';
  readonly failedOn: Commits;
  readonly failedAt: number;
  readonly fixer: Builder | null;
  readonly closedOn: Commits | null;
}

/** The expected records, derived from the accepted calls and the rules. Nothing is read from an answer. */
export interface Ledger {
  readonly step: number;
  readonly manifest: number;
  readonly declared: Readonly<Partial<Record<Builder, Declared>>>;
  readonly attempts: readonly Attempt[];
  readonly defects: readonly Defect[];
  /** The commits of the deployment; null while no deployment is authorized. */
  readonly deployed: Commits | null;
  readonly isActivated: boolean;
  readonly moderation: Moderation;
}

export const EMPTY_LEDGER: Ledger = {
  step: 0,
  manifest: 1,
  declared: {},
  attempts: [],
  defects: [],
  deployed: null,
  isActivated: false,
  moderation: EMPTY_MODERATION,
};

export const same = (one: string, two: string): boolean => {
  const length = Math.min(one.length, two.length);
  return one.slice(0, length).toLowerCase() === two.slice(0, length).toLowerCase();
};

const builderOf = (role: unknown): Builder => (role === 'agent_b' ? 'agent_b' : 'agent_a');

export const commitsOf = ({ declared }: Ledger): Commits => ({
  agent_a: declared.agent_a?.commit ?? '',
  agent_b: declared.agent_b?.commit ?? '',
});

/** The attempts of the scenario on the manifest in force. */
export const triesOf = ({ attempts, manifest }: Ledger, scenario: string): Attempt[] =>
  attempts.filter((attempt) => attempt.scenario === scenario && attempt.manifest === manifest);

const openOf = (ledger: Ledger, scenario: string): Attempt | undefined =>
  triesOf(ledger, scenario).find(({ status }) => status === 'OPEN');

/**
 * Whether the evidence is sufficient. Items with the same correlation id are a run. One run without failed assertions
 * must have the required items of each builder. If the policy allows several runs, the items of all runs without failed
 * assertions count together.
 */
export function isMet(items: readonly Item[], { min_items = 1, correlated = true, per_agent_kinds }: Check['policy']) {
  const runs = [...new Set(items.map(({ run }) => run))].map((run) => items.filter((item) => item.run === run));
  const clean = runs.filter((run) => run.every(({ isFailing }) => !isFailing));
  return (correlated ? clean : [clean.flat()]).some((run) =>
    BUILDERS.every((builder) => {
      const own = run.filter((item) => item.by === builder);
      const wanted = builder === 'agent_b' ? (per_agent_kinds?.agent_b ?? []) : [];
      return own.length >= min_items && wanted.every((kind) => own.some((item) => item.kind === kind));
    }),
  );
}

export function statusOf(ledger: Ledger, { id, depends_on, policy }: Check): string {
  const open = openOf(ledger, id);
  if (open) return isMet(open.items, policy) ? 'AWAITING_VERDICT' : 'OPEN';
  const last = triesOf(ledger, id).findLast(({ judge }) => judge !== null);
  if (last?.status === 'PASSED' && !last.isRefused) return last.isStale ? 'STALE' : 'PASSED';
  if (last) return 'FAILED';
  return depends_on.every((needed) => hasPassed(ledger, needed)) ? 'READY' : 'WAITING';
}

export const hasPassed = (ledger: Ledger, id: string): boolean =>
  CHECKS.some((check) => check.id === id && statusOf(ledger, check) === 'PASSED');

/** Computes whether each certification check holds, independently of the code under test. */
export function checksOf(ledger: Ledger): Readonly<Record<string, boolean>> {
  const passed = CHECKS.filter((check) => statusOf(ledger, check) === 'PASSED');
  const sides = BUILDERS.map((builder) => ledger.declared[builder]);
  const proofs = passed.map(({ id }) => triesOf(ledger, id).findLast(({ status }) => status === 'PASSED')?.items ?? []);
  return {
    SCENARIOS_PASSED: passed.length === CHECKS.length,
    NO_OPEN_DEFECT: !ledger.defects.some(({ status }) => status === 'OPEN' || status === 'FIXED'),
    HANDSHAKES_CURRENT: sides.every((side) => side?.isFit && side.isOnFixture),
    REQUIREMENTS_PROVEN: (['R1', 'R2'] as const).every((id) =>
      CHECKS.filter(({ requirement }) => requirement === id).every((check) => passed.includes(check)),
    ),
    EVIDENCE_FROM_BOTH:
      proofs.length > 0 && proofs.every((items) => BUILDERS.every((who) => items.some((item) => item.by === who))),
    NO_ACTIVE_HOLD: ledger.moderation.holds.every(({ cause }) => cause !== null),
    NO_BLOCKING_FINDING: !ledger.moderation.findings.some((finding) => finding.isBlocking && isOpen(finding)),
  };
}

type Input = Call['input'];

const ENTRIES: Readonly<Record<string, (ledger: Ledger, by: Call['by'], input: Input) => Ledger>> = {
  verify_handshake: declared,
  verify_start_attempt: (ledger, by, { scenario_id, evidence }) => {
    const scenario = String(scenario_id);
    const open = openOf(ledger, scenario);
    if (open) return withItems(ledger, { scenario_id, attempt: open.number }, by, evidence);
    const number = ledger.attempts.filter((attempt) => attempt.scenario === scenario).length + 1;
    const { manifest } = ledger;
    const fresh = { scenario, number, manifest, starter: by, commits: commitsOf(ledger), items: [] };
    const marks = { isStale: false, isCarried: false, isRefused: false, deviates: false };
    const started: Attempt = { ...fresh, ...marks, status: 'OPEN', judge: null };
    const after = { ...ledger, attempts: [...ledger.attempts, started] };
    return withItems(after, { scenario_id, attempt: number }, by, evidence);
  },
  verify_submit_evidence: (ledger, by, input) => withItems(ledger, input, by, [input]),
  verify_verify: judged,
  carryPass: (ledger, _by, { scenario_id }) => onPass(ledger, scenario_id, (pass) => ({ ...pass, ...CARRIED })),
  refuseStep: (ledger, _by, { scenario_id, role }) => {
    const scenario = String(scenario_id);
    const mender = CHECKS.find(({ id }) => id === scenario)?.mender;
    const failure = { status: 'OPEN', failedOn: commitsOf(ledger), failedAt: ledger.step } as const;
    const opened = { scenario, assignee: String(role ?? mender), ...failure, fixer: null, closedOn: null };
    const refused = onPass(ledger, scenario, (pass) => ({ ...pass, isRefused: true, isCarried: false }));
    return { ...refused, defects: [...refused.defects, opened] };
  },
  verify_submit_fix: (ledger, by, { defect_id }) =>
    onDefect(ledger, defect_id, (defect) =>
      defect.status === 'FIXED' ? defect : { ...defect, status: 'FIXED', fixer: builderOf(by) },
    ),
  waiveDefect: (ledger, _by, { defect_id }) =>
    onDefect(ledger, defect_id, (defect) => ({ ...defect, status: 'WAIVED' })),
  reassignDefect: (ledger, _by, { defect_id, role }) =>
    onDefect(ledger, defect_id, (defect) => ({ ...defect, assignee: String(role) })),
  authorize: (ledger, _by, { stage }) =>
    stage === 'activation'
      ? { ...ledger, isActivated: true }
      : { ...ledger, deployed: commitsOf(ledger), isActivated: stage === 'release' },
  requestChanges: (ledger) => ({
    ...ledger,
    manifest: ledger.manifest + 1,
    declared: {},
    attempts: ledger.attempts.map((attempt) => ({ ...abortedIfOpen(attempt), isCarried: false })),
    defects: ledger.defects.map((defect) =>
      defect.status === 'OPEN' || defect.status === 'FIXED' ? { ...defect, status: 'SUPERSEDED' } : defect,
    ),
    deployed: null,
    isActivated: false,
  }),
};

/** Returns the ledger after an accepted call. */
export function entered(ledger: Ledger, { by, name, input }: Call): Ledger {
  const next = ENTRIES[name]?.(ledger, by, input) ?? ledger;
  return { ...next, step: ledger.step + 1 };
}

const itemOf = (by: Call['by'], input: Input): Item => {
  const assertions = Array.isArray(input.assertions) ? input.assertions : [];
  return {
    by: builderOf(by),
    run: String(input.request_id),
    kind: String(input.kind),
    isFailing: assertions.some((assertion) => Object(assertion).passed === false),
    key: input.evidence_key === undefined ? null : String(input.evidence_key),
    said: JSON.stringify([input.kind, input.claim, input.summary, input.request_id, assertions]),
  };
};

/** Adds items of evidence to an attempt, except items whose keys the attempt already has. */
function withItems(ledger: Ledger, input: Input, by: Call['by'], given: unknown): Ledger {
  const items = (Array.isArray(given) ? given : []).map((each) => itemOf(by, each));
  return onAttempt(ledger, input, (attempt) => {
    let after = attempt;
    for (const item of items) {
      if (item.key !== null && after.items.some((one) => one.by === item.by && one.key === item.key)) continue;
      after = { ...after, items: [...after.items, item] };
    }
    return after;
  });
}

/**
 * Returns the code with which evidence must be refused; null if it must be accepted; undefined if the call submits no
 * evidence. An item with a known key must have the same contents. An item with a new key needs an open attempt.
 */
export function evidenceDue(ledger: Ledger, { by, name, input }: Call): string | null | undefined {
  if (name !== 'verify_submit_evidence' || (by !== 'agent_a' && by !== 'agent_b')) return undefined;
  const check = CHECKS.find(({ id }) => id === input.scenario_id);
  const attempt = check && triesOf(ledger, check.id).find(({ number }) => number === input.attempt);
  if (!check || !attempt) return 'UNKNOWN_RECORD or ATTEMPT_CLOSED';
  const item = itemOf(by, input);
  const known = attempt.items.find((one) => item.key !== null && one.by === by && one.key === item.key);
  if (known) return known.said === item.said ? null : 'IDEMPOTENCY_CONFLICT';
  return attempt.status === 'OPEN' ? null : 'ATTEMPT_CLOSED';
}

const abortedIfOpen = (attempt: Attempt): Attempt =>
  attempt.status === 'OPEN' ? { ...attempt, status: 'ABORTED' } : attempt;

function declared(ledger: Ledger, by: Call['by'], input: Input): Ledger {
  const builder = builderOf(by);
  const before = ledger.declared[builder];
  const commit = String(input.commit).toLowerCase();
  const isSame = before !== undefined && same(before.commit, commit);
  const fixture = input.fixture_version ?? '1';
  const side = {
    commit: isSame && before.commit.length > commit.length ? before.commit : commit,
    isFit: input.ready === true && input.dependencies_healthy === true,
    isOnFixture: fixture === '1',
    since: isSame ? before.since : ledger.step,
    compared: input.changes ? Object.keys(Object(input.changes)) : isSame ? before.compared : [],
  };
  const after = { ...ledger, declared: { ...ledger.declared, [builder]: side } };
  if (!before || isSame) return after;
  return {
    ...after,
    attempts: ledger.attempts.map((attempt) => ({ ...abortedIfOpen(attempt), isStale: true, isCarried: false })),
    defects: ledger.defects.map((defect) =>
      defect.status === 'FIXED' && defect.fixer === builder && same(commit, defect.failedOn[builder])
        ? { ...defect, status: 'OPEN' }
        : defect,
    ),
    deployed: null,
    isActivated: false,
  };
}

function judged(ledger: Ledger, by: Call['by'], input: Input): Ledger {
  const scenario = String(input.scenario_id);
  if (input.verdict === 'CARRY') return onPass(ledger, scenario, (pass) => ({ ...pass, ...CARRIED }));
  const attempt = openOf(ledger, scenario);
  const check = CHECKS.find(({ id }) => id === scenario);
  if (!attempt || !check) return ledger;
  const status = input.verdict === 'PASS' ? 'PASSED' : 'FAILED';
  const uncarried = onPass(ledger, scenario, (pass) => ({ ...pass, isCarried: false }));
  const after = onAttempt(withItems(uncarried, input, by, input.evidence), input, (open) => ({
    ...open,
    status,
    judge: by,
    deviates: input.deviations !== undefined,
  }));
  const stands = ({ scenario: its, status: at }: Defect) => its === scenario && (at === 'OPEN' || at === 'FIXED');
  if (status === 'PASSED') {
    const closed = { status: 'CLOSED', closedOn: attempt.commits } as const;
    return { ...after, defects: after.defects.map((defect) => (stands(defect) ? { ...defect, ...closed } : defect)) };
  }
  const failure = { status: 'OPEN', failedOn: attempt.commits, failedAt: ledger.step } as const;
  if (after.defects.some(stands))
    return { ...after, defects: after.defects.map((defect) => (stands(defect) ? { ...defect, ...failure } : defect)) };
  const opened = { scenario, assignee: check.mender, ...failure, fixer: null, closedOn: null };
  return { ...after, defects: [...after.defects, opened] };
}

function onAttempt(ledger: Ledger, input: Input, change: (attempt: Attempt) => Attempt): Ledger {
  const attempts = ledger.attempts.map((attempt) =>
    attempt.scenario === input.scenario_id && attempt.number === input.attempt ? change(attempt) : attempt,
  );
  return { ...ledger, attempts };
}

const CARRIED = { isStale: false, isCarried: true };

/** The latest judged attempt of the scenario on the manifest in force. */
const lastJudged = (ledger: Ledger, scenario: string): Attempt | undefined =>
  triesOf(ledger, scenario).findLast(({ judge }) => judge !== null);

function onPass(ledger: Ledger, scenario_id: unknown, change: (attempt: Attempt) => Attempt): Ledger {
  const pass = lastJudged(ledger, String(scenario_id));
  return pass ? onAttempt(ledger, { scenario_id, attempt: pass.number }, change) : ledger;
}

const UNFIT = 'HANDSHAKE_NOT_READY or FIXTURE_MISMATCH or DEPENDENCY_NOT_PASSED';

/** Returns why the pass cannot be carried over by `carrier`, as a code; null if it can be. */
function carryFault(ledger: Ledger, scenario: unknown, carrier: Call['by']): string | null {
  const check = CHECKS.find(({ id }) => id === scenario);
  if (!check) return 'UNKNOWN_RECORD';
  if (ledger.defects.some(({ scenario: its, status }) => its === check.id && /^(OPEN|FIXED)$/.test(status)))
    return 'DEFECT_OPEN';
  const pass = lastJudged(ledger, check.id);
  if (!pass || statusOf(ledger, check) !== 'STALE') return 'ATTEMPT_CLOSED';
  const sides = BUILDERS.map((builder) => ({ builder, side: ledger.declared[builder] }));
  const moved = sides.filter(({ builder, side }) => !side || !same(side.commit, pass.commits[builder]));
  const others = moved.filter(({ builder }) => builder !== carrier);
  const isOther = check.policy.carry === 'other_agent' && moved.length === 1 && others.length === 1;
  if (!check.policy.carry || (carrier !== 'owner' && !isOther)) return 'NOT_ASSIGNED';
  if (moved.some(({ builder, side }) => !side?.compared.some((commit) => same(commit, pass.commits[builder]))))
    return 'HANDSHAKE_INCOMPLETE';
  const isReady = checksOf(ledger).HANDSHAKES_CURRENT && check.depends_on.every((needed) => hasPassed(ledger, needed));
  return isReady ? null : UNFIT;
}

/**
 * Returns the code with which a refusal of a step, or a carry of a pass, must be refused; null if it must be accepted;
 * undefined if the call is another one. The owner may do both during a pause as well.
 */
export function passDue(ledger: Ledger, { by, name, input }: Call): string | null | undefined {
  if (name === 'carryPass') return carryFault(ledger, input.scenario_id, by);
  if (name === 'verify_verify' && input.verdict === 'CARRY') return carryFault(ledger, input.scenario_id, by);
  if (name !== 'refuseStep') return undefined;
  const isStage = input.stage === (ledger.deployed ? 'activation' : 'deployment');
  if (!isStage || ledger.isActivated) return 'INVALID_TRANSITION';
  const check = CHECKS.find(({ id }) => id === input.scenario_id);
  if (!check) return 'UNKNOWN_RECORD';
  return statusOf(ledger, check) === 'PASSED' ? null : 'INVALID_TRANSITION';
}

const onDefect = (ledger: Ledger, id: unknown, change: (defect: Defect) => Defect): Ledger => ({
  ...ledger,
  defects: ledger.defects.map((defect, index) => (`def_${index + 1}` === id ? change(defect) : defect)),
});
