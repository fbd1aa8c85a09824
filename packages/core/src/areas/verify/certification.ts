import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { type EvidenceLevel, lowestLevel } from '../evidence.ts';
import { BuilderRole } from '../fields.ts';
import { closerOf, openBlockingFindings } from '../findings/rules.ts';
import { activeHolds } from '../holds/rules.ts';
import { named } from '../listing.ts';
import { standingPreflight } from '../preflight/rules.ts';
import type { SessionState } from '../state.ts';
import { gateStandings, gateWords, missingGates } from './gates.ts';
import {
  levelOfScenario,
  onOtherFixture,
  passOf,
  type Scenario,
  scenariosOf,
  standingDefects,
  undeclared,
  unready,
} from './scenarios.ts';

const CHECKS = [
  'SCENARIOS_PASSED',
  'NO_OPEN_DEFECT',
  'HANDSHAKES_CURRENT',
  'REQUIREMENTS_PROVEN',
  'EVIDENCE_FROM_BOTH',
  'NO_ACTIVE_HOLD',
  'NO_BLOCKING_FINDING',
  'GATES_MET',
] as const;

/**
 * A certification check: a condition for the deployment, and whether it is met. `detail` contains ids, but no text of
 * an agent.
 */
export const CertificationCheck = z.strictObject({ check: z.enum(CHECKS), ok: z.boolean(), detail: z.string() });
export type CertificationCheck = z.output<typeof CertificationCheck>;

const MAX_TESTS = 5;

/**
 * The certification checks, computed from the current state only (domain 9.6). If all are met, the owner can authorize
 * the deployment.
 */
export function certificationOf(state: SessionState): CertificationCheck[] {
  const scenarios = scenariosOf(state);
  return [
    scenariosPassed(scenarios),
    noOpenDefect(state),
    handshakesCurrent(state),
    requirementsProven(state, scenarios),
    evidenceFromBoth(scenarios),
    noActiveHold(state),
    noBlockingFinding(state),
    ...gatesMet(state),
  ];
}

/** Refuses what needs a certified session, with the checks, each of which says what is missing. */
export function requireCertified(state: SessionState): void {
  const checks = certificationOf(state);
  const open = checks.filter(({ ok }) => !ok).map(({ check }) => check);
  if (open.length > 0)
    fail('CERTIFICATION_INCOMPLETE', `Certification checks that are not met: ${open.join(', ')}.`, { checks });
}

/** The lowest level of the passes of all scenarios. Null until all scenarios have passed. */
export function certificationLevel(state: SessionState): EvidenceLevel | null {
  const levels = scenariosOf(state).map(levelOfScenario);
  return levels.includes(null) ? null : lowestLevel(levels.flatMap((level) => level ?? []));
}

/**
 * A valid pass whose verdict says how the result differs from the contract. The builder that gave the verdict wrote
 * `deviations`.
 */
export const Deviation = namedObject('Deviation', {
  scenario_id: z.string(),
  attempt: z.int(),
  by: BuilderRole.describe('Who gave the verdict.'),
  deviations: z.array(z.string()),
});

/** The valid passes whose verdicts say how the result differs from the contract, in the order of the contract. */
export const deviatingPasses = (state: SessionState): z.output<typeof Deviation>[] =>
  scenariosOf(state).flatMap(({ test, status, record }) => {
    const pass = status === 'PASSED' ? passOf(record) : undefined;
    if (!pass?.verdict?.deviations) return [];
    const { by, deviations } = pass.verdict;
    return [{ scenario_id: test.id, attempt: pass.attempt, by, deviations }];
  });

function noActiveHold({ holds }: SessionState): CertificationCheck {
  const active = activeHolds(holds).map(({ hold_id }) => hold_id);
  const ok = active.length === 0;
  return { check: 'NO_ACTIVE_HOLD', ok, detail: ok ? 'No hold is active.' : `Active holds: ${named(active)}.` };
}

/** The check that no blocking finding is open, in whichever phase the finding was raised. */
function noBlockingFinding(state: SessionState): CertificationCheck {
  const left = openBlockingFindings(state.findings).map((finding) => {
    const closer = closerOf(state, finding);
    return `${finding.finding_id} (${closer === 'owner' ? closer : `${closer} or owner`})`;
  });
  const ok = left.length === 0;
  const detail = ok
    ? 'No blocking finding is open.'
    : `Open blocking findings, each with who can close it: ${named(left)}.`;
  return { check: 'NO_BLOCKING_FINDING', ok, detail };
}

/** The check of the gates of the deployment that demand a run. Empty if there are none. */
function gatesMet(state: SessionState): CertificationCheck[] {
  if (!gateStandings(state).some(({ stage }) => stage === 'deployment')) return [];
  const left = missingGates(state, 'deployment');
  const ok = left.length === 0;
  const detail = ok ? 'Runs meet the gates that demand them.' : `Gates that no run meets: ${named(gateWords(left))}.`;
  return [{ check: 'GATES_MET', ok, detail }];
}

function scenariosPassed(scenarios: readonly Scenario[]): CertificationCheck {
  const left = scenarios.filter(({ status }) => status !== 'PASSED');
  const ok = scenarios.length > 0 && left.length === 0;
  const names = left.map(({ test, status }) => `${test.id} ${status}`);
  const detail =
    scenarios.length === 0 ? 'There is no scenario to pass.' : `Scenarios that have not passed: ${named(names)}.`;
  const passed =
    scenarios.length === 1 ? 'The only scenario has passed.' : `All ${scenarios.length} scenarios have passed.`;
  return { check: 'SCENARIOS_PASSED', ok, detail: ok ? `${passed}${carriedNote(scenarios)}` : detail };
}

/** The attempts whose passes count for other commits than those on which they passed, such as test-reserve/2. */
export const carriedPasses = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ test, record }) => (record.carried ? [`${test.id}/${passOf(record)?.attempt}`] : []));

function carriedNote(scenarios: readonly Scenario[]): string {
  const carried = carriedPasses(scenarios);
  return carried.length === 0 ? '' : ` Passes carried over from other commits: ${named(carried)}.`;
}

function noOpenDefect(state: SessionState): CertificationCheck {
  const left = standingDefects(state).map(({ defect_id, status }) => `${defect_id} ${status}`);
  const ok = left.length === 0;
  return {
    check: 'NO_OPEN_DEFECT',
    ok,
    detail: ok ? 'No defect is open.' : `Defects that are neither closed nor waived: ${named(left)}.`,
  };
}

function handshakesCurrent(state: SessionState): CertificationCheck {
  const faults = [
    ...undeclared(state).map((builder) => `${builder} has declared no handshake`),
    ...unready(state).map((builder) => `${builder} is not ready or not healthy`),
    ...onOtherFixture(state).map((builder) => `${builder} has declared another fixture_version than the manifest`),
  ];
  const ok = faults.length === 0;
  const environments = new Set(BUILDERS.map((builder) => state.verify.handshakes[builder]?.environment));
  const apart = environments.size > 1 ? ', but name different environments' : '';
  const detail = ok ? `Both handshakes are current, ready and healthy${apart}.` : `${faults.join('; ')}.`;
  return { check: 'HANDSHAKES_CURRENT', ok, detail };
}

/**
 * Every test to which a requirement is mapped, by the preflight or by its name in the test, must have passed. Otherwise the detail names each requirement
 * and its tests that have not passed.
 */
function requirementsProven(state: SessionState, scenarios: readonly Scenario[]): CertificationCheck {
  const passed = new Set(scenarios.filter(({ status }) => status === 'PASSED').map(({ test }) => test.id));
  const left = (standingPreflight(state)?.mappings ?? []).flatMap(({ requirement_id, tests }) => {
    const missing = tests.filter((id) => !passed.has(id));
    return missing.length > 0 ? [`${requirement_id} (${named(missing, MAX_TESTS)})`] : [];
  });
  const ok = left.length === 0;
  const detail = ok
    ? 'All tests mapped to requirements have passed.'
    : `Requirements without proof, with the tests that have not passed: ${named(left)}.`;
  return { check: 'REQUIREMENTS_PROVEN', ok, detail };
}

function evidenceFromBoth(scenarios: readonly Scenario[]): CertificationCheck {
  const passed = scenarios.filter(({ status }) => status === 'PASSED');
  const left = passed.filter(({ record }) => {
    const evidence = passOf(record)?.evidence ?? [];
    return !BUILDERS.every((builder) => evidence.some(({ by }) => by === builder));
  });
  const ok = passed.length > 0 && left.length === 0;
  const names = left.map(({ test }) => test.id);
  const without =
    passed.length === 0 ? 'No scenario has passed yet.' : `Scenarios with evidence of only one agent: ${named(names)}.`;
  return { check: 'EVIDENCE_FROM_BOTH', ok, detail: ok ? 'Both agents gave evidence for each pass.' : without };
}
