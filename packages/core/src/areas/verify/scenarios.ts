import type { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { BUILDERS, type Builder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { plural } from '../../kernel/text/readable.ts';
import { echoName, quotedName } from '../../kernel/text/safe-echo.ts';
import type { Attachment } from '../attachments/state.ts';
import type { SessionDraft } from '../catalog.ts';
import type { Outline } from '../document/contract.ts';
import { EVIDENCE_LEVELS, type EvidenceLevel } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { isStanding, unfixedDefects } from './defects.ts';
import { type Commits, type DeclaredChange, isAtLeast, levelOfItem } from './events.ts';
import {
  type Attempt,
  type Defect,
  type Evidence,
  isSameCommit,
  NOT_STORED,
  type ScenarioRecord,
  shortCommit,
  UNTRIED,
} from './state.ts';

/**
 * The scenarios of a contract: what they are to prove, which attempts stand, and what is missing.
 *
 * Carrying a pass over: a pass that became stale with another commit counts for that commit without a rerun. The
 * contract says for each test who may do so. Each builder whose commit differs has to declare what differs from the
 * commit of the attempt; whoever carries the pass over judges the declared paths, and gives a reason.
 */

type ContractPolicy = NonNullable<Outline['tests'][number]['evidence_policy']>;
type Policy = Omit<ContractPolicy, 'level'> & { readonly level?: EvidenceLevel | undefined };

/** Evidence that a builder must still give. */
export type MissingEvidence = { readonly builder: Builder } & (
  | { readonly items: number; readonly level?: EvidenceLevel }
  | { readonly kind: Evidence['kind']; readonly level?: EvidenceLevel }
  /** A test that the contract names, which no recorded run shows as passed. */
  | { readonly test: string; readonly status: 'skipped' | 'missing' }
);

/**
 * Evidence with a failed assertion. It is identified by its message id, because agents choose the request_id, which
 * could be ambiguous.
 */
export interface FailingEvidence {
  readonly builder: Builder;
  readonly message_id: number;
  /** Whether it is a run of a command, which can fail without an assertion. */
  readonly isRun?: true;
}

/** Whether the evidence of an attempt is enough for a PASS. If not, what is missing and what has failed. */
export interface Evaluation {
  readonly met: boolean;
  /**
   * The request_id of the evidence that was evaluated. Null if there is no evidence, or if the policy does not require
   * evidence of both builders with a common request_id.
   */
  readonly request_id: string | null;
  readonly missing: readonly MissingEvidence[];
  readonly failing: readonly FailingEvidence[];
}

/**
 * Evaluates the runs of an attempt. A run is all evidence with the same request_id (domain 9.4). It meets the policy if
 * each builder gave the required evidence and no assertion failed. Returns the evaluation of the run with the fewest
 * entries in `missing`; if several runs have equally few, of the latest of them. A run with a failed assertion is
 * chosen only if all runs have a failed assertion: it can be judged, but cannot pass.
 */
export const evaluateEvidence = memoizeBy(
  (evidence: readonly Evidence[], policy: Policy = {}): Evaluation => evaluate(evidence, policy),
  (policy = {}) => JSON.stringify(policy),
);

function evaluate(evidence: readonly Evidence[], policy: Policy): Evaluation {
  if (policy.correlated === false) return evaluateApart(evidence, policy);
  const ids = [...new Set(evidence.map(({ request_id }) => request_id))];
  if (ids.length === 0) return { met: false, request_id: null, missing: missingIn([], policy), failing: [] };
  const [best] = ids
    .map((request_id) => evaluateRun(evidence, request_id, policy))
    .reverse()
    .toSorted((one, other) => cost(one) - cost(other));
  return best ?? { met: false, request_id: null, missing: missingIn([], policy), failing: [] };
}

const cost = ({ missing, failing }: Evaluation): number => missing.length + (failing.length > 0 ? 1_000 : 0);

function evaluateRun(evidence: readonly Evidence[], request_id: string, policy: Policy): Evaluation {
  const run = evidence.filter((item) => item.request_id === request_id);
  const missing = missingIn(run, policy);
  const failing = failingIn(run);
  return { met: missing.length === 0 && failing.length === 0, request_id, missing, failing };
}

/**
 * Evaluates an attempt whose policy does not require evidence of both builders with a common request_id. If an item of
 * evidence has a failed assertion, no evidence with the request_id of this item counts for a pass. Each item with an empty
 * request_id stands for itself.
 */
function evaluateApart(evidence: readonly Evidence[], policy: Policy): Evaluation {
  const failedRuns = new Set(evidence.filter(({ failed }) => failed).map(({ request_id }) => request_id));
  const clean = evidence.filter(({ request_id, failed }) => !(request_id === '' ? failed : failedRuns.has(request_id)));
  const met = missingIn(clean, policy).length === 0;
  if (met) return { met, request_id: null, missing: [], failing: [] };
  return { met, request_id: null, missing: missingIn(evidence, policy), failing: failingIn(evidence) };
}

const failingIn = (items: readonly Evidence[]): FailingEvidence[] =>
  items
    .filter(({ failed }) => failed)
    .map(({ by, message_id, run }) => ({ builder: by, message_id, ...(run && { isRun: true }) }));

function missingIn(items: readonly Evidence[], policy: Policy): MissingEvidence[] {
  const { per_agent_kinds = {}, per_agent_tests = {}, min_items = 1, level = 'claimed' } = policy;
  const demanded = level === 'claimed' ? {} : { level };
  return BUILDERS.flatMap((builder): MissingEvidence[] => {
    const own = items.filter(({ by }) => by === builder);
    const counted = own.filter((item) => isAtLeast(levelOfItem(item), level));
    const left = min_items - counted.length;
    const kinds = [...new Set(per_agent_kinds[builder] ?? [])].filter(
      (kind) => !counted.some((item) => item.kind === kind),
    );
    return [
      ...(left > 0 ? [{ builder, items: left, ...demanded }] : []),
      ...kinds.map((kind) => ({ builder, kind, ...demanded })),
      ...missingTests(own, per_agent_tests[builder] ?? []).map((test) => ({ builder, ...test })),
    ];
  });
}

/** The tests that no recorded run shows. A test that failed is shown: it makes the run fail. */
function missingTests(own: readonly Evidence[], names: readonly string[]) {
  if (names.length === 0) return [];
  const skipped = new Set<string>();
  const shown = new Set<string>();
  for (const item of own) {
    if (!isAtLeast(levelOfItem(item), 'recorded')) continue;
    for (const { name, status } of item.run?.named ?? [])
      if (status === 'skipped') skipped.add(name);
      else if (status !== 'missing') shown.add(name);
  }
  return [...new Set(names)].flatMap((test) =>
    shown.has(test) ? [] : [{ test, status: skipped.has(test) ? ('skipped' as const) : ('missing' as const) }],
  );
}

/**
 * The highest level whose evidence alone meets the policy: what a pass rests on. Evidence of a lower level beside it lowers
 * nothing. Null if the evidence is not enough for a PASS.
 */
export const levelOf = (evidence: readonly Evidence[], policy: ContractPolicy = {}): EvidenceLevel | null =>
  EVIDENCE_LEVELS.findLast(
    (level) => isAtLeast(level, policy.level ?? 'claimed') && evaluateEvidence(evidence, { ...policy, level }).met,
  ) ?? null;

export const SCENARIO_STATUSES = ['WAITING', 'READY', 'OPEN', 'AWAITING_VERDICT', 'PASSED', 'FAILED', 'STALE'] as const;
type ScenarioStatus = (typeof SCENARIO_STATUSES)[number];

type Test = Outline['tests'][number];

export interface Scenario {
  readonly test: Test;
  readonly status: ScenarioStatus;
  readonly record: ScenarioRecord;
  readonly open: Attempt | undefined;
  /** The evaluation of the open attempt. Undefined if no attempt is open. */
  readonly evaluation: Evaluation | undefined;
  readonly attachments: readonly Attachment[];
  /** Ids of the scenarios on which this scenario depends and which have not passed. */
  readonly waitsFor: readonly string[];
}

/** The scenarios of the current manifest. Empty if there is no manifest. */
export const scenariosOf = memoizeBy((state: SessionState): readonly Scenario[] => {
  const tests = state.manifest.current ? (state.contract.outline?.tests ?? []) : [];
  const passed = new Set(tests.filter(({ id }) => hasPassed(recordOf(state, id))).map(({ id }) => id));
  return tests.map((test) => viewOf(state, test, passed));
});

const recordOf = ({ verify }: SessionState, id: string): ScenarioRecord => lookUp(verify.scenarios, id) ?? UNTRIED;

const openAttempt = ({ attempts }: ScenarioRecord): Attempt | undefined =>
  attempts.find(({ status }) => status === 'OPEN');

/** Whether a scenario has passed. False while another attempt is open. */
const hasPassed = (record: ScenarioRecord): boolean => record.outcome === 'PASSED' && !openAttempt(record);

/** The last attempt with the verdict PASS. */
export const passOf = ({ attempts }: ScenarioRecord): Attempt | undefined =>
  attempts.findLast(({ status }) => status === 'PASSED');

/**
 * The level of the evidence on which the pass of a scenario rests. A pass that was carried over rests on what an agent or the
 * owner has written. Null if the scenario has not passed.
 */
export function levelOfScenario({ test, status, record }: Scenario): EvidenceLevel | null {
  if (status !== 'PASSED') return null;
  return record.carried ? 'claimed' : levelOf(passOf(record)?.evidence ?? [], test.evidence_policy);
}

/**
 * The highest level of the evidence that each builder gave for the pass of a scenario. Undefined if it has not passed, was
 * carried over, or if both gave claims alone.
 */
export function levelsOfSides({ status, record }: Scenario): Record<Builder, EvidenceLevel> | undefined {
  const evidence = status === 'PASSED' && !record.carried ? passOf(record)?.evidence : undefined;
  const best = (builder: Builder): EvidenceLevel =>
    EVIDENCE_LEVELS.findLast((level) => evidence?.some((item) => item.by === builder && levelOfItem(item) === level)) ??
    'claimed';
  const levels = { agent_a: best('agent_a'), agent_b: best('agent_b') };
  return BUILDERS.some((builder) => levels[builder] !== 'claimed') ? levels : undefined;
}

function viewOf(state: SessionState, test: Test, passed: ReadonlySet<string>): Scenario {
  const record = recordOf(state, test.id);
  const open = openAttempt(record);
  const evaluation = open && evaluateEvidence(open.evidence, test.evidence_policy);
  const waitsFor = test.depends_on.filter((id) => !passed.has(id));
  const untried = waitsFor.length > 0 ? 'WAITING' : 'READY';
  const inWork = evaluation?.met ? 'AWAITING_VERDICT' : 'OPEN';
  const attachments = state.attachments.filter(({ scenario_id }) => scenario_id === test.id);
  return { test, record, open, evaluation, attachments, waitsFor, status: open ? inWork : (record.outcome ?? untried) };
}

export function scenarioOf(state: SessionState, id: string): Scenario {
  const scenario = scenariosOf(state).find(({ test }) => test.id === id);
  if (scenario) return scenario;
  return fail('UNKNOWN_RECORD', `The approved contract has no test ${quotedName(id)}.`, {
    record: { type: 'scenario', id: echoName(id) },
  });
}

/** Returns the attempt with this number. Refuses the call if the attempt is not open. */
export function attemptOf(scenario: Scenario, number: number, hint?: string): Attempt {
  const { earlier, attempts } = scenario.record;
  const attempt = attempts.find((candidate) => candidate.attempt === number);
  if (attempt?.status === 'OPEN') return attempt;
  const over = attempt ?? earlier.find((candidate) => candidate.attempt === number);
  const id = `${scenario.test.id}/${number}`;
  if (!over) return fail('UNKNOWN_RECORD', `There is no attempt ${id}.`, { record: { type: 'attempt', id } });
  const { status } = over;
  return fail('ATTEMPT_CLOSED', `Attempt ${id} is not open: it is ${status}.`, {
    status,
    ...(hint !== undefined && { hint }),
  });
}

export const standingDefects = ({ verify }: SessionState): Defect[] => valuesOf(verify.defects).filter(isStanding);

export const openDefectsOf = (state: SessionState, scenarioId: string): Defect[] =>
  standingDefects(state).filter((defect) => defect.scenario_id === scenarioId && defect.status === 'OPEN');

export const undeclared = ({ verify }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => !verify.handshakes[builder]);

/** The commit that each builder has declared. Refuses the call if a handshake is missing. */
export function declaredCommits(state: SessionState): z.output<typeof Commits> {
  const { agent_a, agent_b } = state.verify.handshakes;
  if (agent_a && agent_b) return { agent_a: agent_a.commit, agent_b: agent_b.commit };
  const missing = undeclared(state);
  return fail('HANDSHAKE_INCOMPLETE', `No handshake was declared yet by ${missing.join(' and ')}.`, { missing });
}

/** What the release of a session leaves to others, in a sentence for the owner and the agents. */
export function notDone(state: SessionState, reader: Role): string {
  const commits = declaredCommits(state);
  const each = BUILDERS.map((builder) => {
    const commit = shortCommit(commits[builder]);
    return builder === reader ? `your ${commit}` : `${commit} of ${builder}`;
  });
  return `Parley has merged, tagged and deployed nothing of the released commits: ${each.join(', ')}.`;
}

/** The builders whose handshake says that the service is not ready or that its dependencies are not healthy. */
export const unready = ({ verify }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => {
    const handshake = verify.handshakes[builder];
    return handshake !== undefined && !(handshake.ready && handshake.dependencies_healthy);
  });

/** The builders whose declared fixture_version differs from the fixture_version of the manifest. */
export const onOtherFixture = ({ verify, manifest }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => {
    const declared = verify.handshakes[builder]?.fixture_version;
    return declared !== undefined && declared !== manifest.current?.fixture_version;
  });

/**
 * Whether both services are declared, ready and healthy, and use the fixture_version of the manifest. Only then are
 * test results valid.
 */
export const areSystemsReady = (state: SessionState): boolean =>
  undeclared(state).length === 0 && unready(state).length === 0 && onOtherFixture(state).length === 0;

export function requireDependencies({ test, waitsFor }: Scenario): void {
  if (waitsFor.length === 0) return;
  fail('DEPENDENCY_NOT_PASSED', `${test.id} depends on ${waitsFor.join(', ')}, which must pass first.`, {
    waits_for: [...waitsFor],
  });
}

/**
 * Refuses a PASS if a service is not ready or uses another fixture_version, or if the scenario depends on a scenario
 * that has not passed.
 */
export function requireMeaningful(state: SessionState, scenario: Scenario): void {
  const notReady = unready(state);
  if (notReady.length > 0)
    fail(
      'HANDSHAKE_NOT_READY',
      `A service that is not ready or not healthy was declared by ${notReady.join(' and ')}.`,
      {
        not_ready: notReady,
      },
    );
  const others = onOtherFixture(state);
  if (others.length > 0)
    fail(
      'FIXTURE_MISMATCH',
      `A fixture_version other than that of the manifest was declared by ${others.join(' and ')}.`,
      {
        fixture_version: state.manifest.current?.fixture_version,
        declared_by: others,
      },
    );
  requireDependencies(scenario);
}

/** A stale pass that the contract lets somebody carry over, and what the builders with another commit declare. */
export interface StalePass {
  readonly pass: Attempt;
  readonly changes: z.output<typeof DeclaredChange>[];
  /** The builders with another commit that do not declare what differs. While there are any, nobody can carry. */
  readonly silent: readonly Builder[];
  /** The builder that may carry the pass over beside the owner. Undefined if only the owner may. */
  readonly carrier: Builder | undefined;
}

/**
 * Undefined unless the scenario has a stale pass, no defect and passed dependencies, both sides are ready on the fixture
 * of the manifest, and the contract says who may carry. Also undefined while the fix of a defect needs another commit, which would make the pass stale again.
 */
export function stalePassOf(state: SessionState, scenario: Scenario): StalePass | undefined {
  const pass = staleAttempt(scenario);
  if (!scenario.test.evidence_policy?.carry || !pass || scenario.waitsFor.length > 0) return undefined;
  const isLeft = defectOn(state, scenario) === undefined && unfixedDefects(state.verify).length === 0;
  const isFit = unready(state).length === 0 && onOtherFixture(state).length === 0;
  return !isLeft || !isFit ? undefined : comparedPass(state, scenario, pass);
}

interface Carry {
  readonly scenario_id: string;
  readonly by: Builder | 'owner';
  readonly reason: string;
}

/**
 * The event that carries a stale pass over to the declared commits. They are compared with the commits of its attempt,
 * also if the pass was carried over before.
 */
export function carryDraft(state: SessionState, { scenario_id, by, reason }: Carry): SessionDraft {
  const scenario = scenarioOf(state, scenario_id);
  const defect = defectOn(state, scenario);
  if (defect) refuseDefect(scenario_id, defect);
  const pass = staleAttempt(scenario) ?? refuseStatus(scenario);
  const commits = declaredCommits(state);
  const { carrier, silent, changes } = comparedPass(state, scenario, pass);
  requireCarrier(scenario, by, carrier);
  for (const other of silent)
    refuseSilent(other, `${pass.commits[other]}, on which ${scenario_id}/${pass.attempt} passed`);
  requireMeaningful(state, scenario);
  const data = { scenario_id, attempt: pass.attempt, verified: pass.commits, commits, reason, changes };
  return { kind: 'pass.carried', data };
}

const staleAttempt = ({ status, record }: Scenario): Attempt | undefined =>
  status === 'STALE' ? passOf(record) : undefined;

const defectOn = (state: SessionState, { test }: Scenario): Defect | undefined =>
  standingDefects(state).find(({ scenario_id }) => scenario_id === test.id);

function comparedPass({ verify }: SessionState, { test }: Scenario, pass: Attempt): StalePass {
  const moved = BUILDERS.filter((by) => !isSameCommit(verify.handshakes[by]?.commit ?? '', pass.commits[by]));
  const changes = moved.flatMap((declared_by) => {
    const since = pass.commits[declared_by];
    const compared = Object.entries(verify.handshakes[declared_by]?.changes ?? {});
    const paths = compared.find(([commit]) => isSameCommit(commit, since))?.[1];
    return paths ? [{ declared_by, since, paths: paths.length }] : [];
  });
  const silent = moved.filter((by) => !changes.some(({ declared_by }) => declared_by === by));
  const [one, another] = moved;
  const isOther = test.evidence_policy?.carry === 'other_agent' && one !== undefined && another === undefined;
  return { pass, changes, silent, carrier: isOther ? otherBuilder(one) : undefined };
}

const refuseStatus = ({ test, status }: Scenario): never =>
  fail('ATTEMPT_CLOSED', `Scenario ${test.id} is ${status}: only a stale pass can be carried over.`, {
    status,
    hint: 'Read the board: it says who has the next step of the scenario.',
  });

const refuseDefect = (id: string, { defect_id, assigned_to, status }: Defect): never =>
  fail('DEFECT_OPEN', `The pass of ${id} cannot be carried over: its defect ${defect_id} is ${status}.`, {
    defect_id,
    assigned_to,
  });

const refuseSilent = (by: Builder, since: string): never =>
  fail('HANDSHAKE_INCOMPLETE', `${by} has not declared in changes of its handshake what differs from ${since}.`, {
    missing: [by],
    hint: `Ask ${by} to declare it; parley commit-changes prints it from git. Or let the scenario run again.`,
  });

function requireCarrier({ test: { id, evidence_policy } }: Scenario, by: Builder | 'owner', carrier?: Builder): void {
  const hint = 'Let the scenario run again.';
  if (!evidence_policy?.carry)
    fail('NOT_ASSIGNED', `The contract lets nobody carry a pass of ${id} over: its evidence_policy has no carry.`, {
      hint,
    });
  if (by === 'owner' || by === carrier) return;
  const who = carrier ? `${carrier} or the owner` : 'the owner';
  fail('NOT_ASSIGNED', `Only ${who} can carry this pass of ${id} over.`, { hint });
}

/** A stale pass and what was declared, in words without a full stop: `test-1/2 is stale; agent_a declares 3 changed paths since a1b2c3d4e5f6`. */
export function staleWords(id: string, { pass, changes }: StalePass): string {
  const declared = changes.map(
    ({ declared_by, since, paths }) =>
      `${declared_by} declares ${plural(paths, 'changed path')} since ${shortCommit(since)}`,
  );
  return `${id}/${pass.attempt} is stale; ${declared.join(' and ') || 'the commits are those of the pass again'}`;
}

/** Missing evidence as text, such as `agent_a: 2 more items` or `agent_b: evidence of kind trace`. */
export const missingText = (missing: MissingEvidence): string => `${missing.builder}: ${missingWords(missing)}`;

/** Missing evidence as text without the builder, such as `evidence of kind trace`. */
export function missingWords(missing: MissingEvidence): string {
  if ('test' in missing) {
    const why = missing.status === 'skipped' ? 'was skipped' : 'is in no report of a recorded run';
    return `the test ${quotedName(missing.test, 300)}, which ${why}`;
  }
  const level = missing.level ? ` of level ${missing.level}` : '';
  if ('kind' in missing) return `evidence of kind ${missing.kind}${level}`;
  return `${missing.items} more ${missing.items === 1 ? 'item' : 'items'}${level}`;
}

/** Failing evidence as text, such as `agent_a: an assertion failed in message #7`. */
export const failingText = ({ builder, message_id, isRun }: FailingEvidence): string =>
  `${builder}: ${isRun ? 'the run or an assertion' : 'an assertion'} failed in ${message_id === NOT_STORED ? 'the evidence of this call' : `message #${message_id}`}`;

/** The tests of the latest contract that name a requirement, or to which the preflight maps the requirement. */
export function testsOfRequirement(
  { contract: { outline }, preflight }: SessionState,
  requirementId: string,
): Outline['tests'] {
  const mapping = preflight?.mappings.find((candidate) => candidate.requirement_id === requirementId);
  return (outline?.tests ?? []).filter(
    ({ id, requirements }) => requirements.includes(requirementId) || mapping?.tests.includes(id),
  );
}
