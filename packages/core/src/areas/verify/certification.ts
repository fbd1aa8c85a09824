import { BUILDERS } from '../../kernel/roles.ts';
import { closerOf, openBlockingFindings } from '../findings/rules.ts';
import { activeHolds } from '../holds/rules.ts';
import type { SessionState } from '../state.ts';
import { onOtherFixture, undeclared, unready } from './readiness.ts';
import { passOf, type Scenario, scenariosOf, standingDefects } from './scenarios.ts';

export const CERTIFICATION_CHECKS = [
  'SCENARIOS_PASSED',
  'NO_OPEN_DEFECT',
  'HANDSHAKES_CURRENT',
  'REQUIREMENTS_PROVEN',
  'EVIDENCE_FROM_BOTH',
  'NO_ACTIVE_HOLD',
  'NO_BLOCKING_FINDING',
] as const;

/** One condition of a release, and whether it is met. The details consist of ids. */
export interface CertificationCheck {
  readonly check: (typeof CERTIFICATION_CHECKS)[number];
  readonly ok: boolean;
  readonly detail: string;
}

const MAX_NAMES = 20;

/** A text with the first names, and the number of further names. */
export const named = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

/** Whether the build may be deployed, computed from the current state only (domain 9.6). */
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
  ];
}

/** The passes whose verdict names deviations, each as scenario id and attempt number. */
export const deviatingPasses = (state: SessionState): string[] =>
  scenariosOf(state).flatMap(({ test, status, record }) => {
    const pass = status === 'PASSED' ? passOf(record) : undefined;
    return pass?.verdict?.deviations ? [`${test.id}/${pass.number}`] : [];
  });

function noActiveHold({ holds }: SessionState): CertificationCheck {
  const active = activeHolds(holds).map(({ holdId }) => holdId);
  const ok = active.length === 0;
  return { check: 'NO_ACTIVE_HOLD', ok, detail: ok ? 'No hold is active.' : `Active: ${named(active)}.` };
}

/** Open blocking findings of any phase. The owner can override each. */
function noBlockingFinding(state: SessionState): CertificationCheck {
  const left = openBlockingFindings(state.findings).map((finding) => {
    const closer = closerOf(state, finding);
    return `${finding.findingId} (${closer === 'owner' ? closer : `${closer} or owner`})`;
  });
  const ok = left.length === 0;
  const detail = ok ? 'No blocking finding is open.' : `Open, with who can close each: ${named(left)}.`;
  return { check: 'NO_BLOCKING_FINDING', ok, detail };
}

function scenariosPassed(scenarios: readonly Scenario[]): CertificationCheck {
  const left = scenarios.filter(({ status }) => status !== 'PASSED');
  const ok = scenarios.length > 0 && left.length === 0;
  const names = left.map(({ test, status }) => `${test.id} ${status}`);
  const detail = scenarios.length === 0 ? 'There is no scenario to pass.' : `Not passed: ${named(names)}.`;
  const passed =
    scenarios.length === 1 ? 'The only scenario has passed.' : `All ${scenarios.length} scenarios have passed.`;
  return { check: 'SCENARIOS_PASSED', ok, detail: ok ? passed : detail };
}

function noOpenDefect(state: SessionState): CertificationCheck {
  const left = standingDefects(state).map(({ defectId, status }) => `${defectId} ${status}`);
  const ok = left.length === 0;
  return { check: 'NO_OPEN_DEFECT', ok, detail: ok ? 'No defect is open.' : `Standing: ${named(left)}.` };
}

function handshakesCurrent(state: SessionState): CertificationCheck {
  const faults = [
    ...undeclared(state).map((builder) => `${builder} has declared none`),
    ...unready(state).map((builder) => `${builder} is not ready or not healthy`),
    ...onOtherFixture(state).map((builder) => `${builder} has another fixture_version`),
  ];
  const ok = faults.length === 0;
  const detail = ok ? 'Both handshakes are current, ready and healthy.' : `${faults.join('; ')}.`;
  return { check: 'HANDSHAKES_CURRENT', ok, detail };
}

/** A requirement that the preflight maps to tests is proven if at least one of its tests has passed. */
function requirementsProven({ preflight }: SessionState, scenarios: readonly Scenario[]): CertificationCheck {
  const passed = new Set(scenarios.filter(({ status }) => status === 'PASSED').map(({ test }) => test.id));
  const mapped = (preflight?.mappings ?? []).filter(({ tests }) => tests.length > 0);
  const left = mapped
    .filter(({ tests }) => !tests.some((id) => passed.has(id)))
    .map((mapping) => mapping.requirement_id);
  const ok = left.length === 0;
  const detail = ok ? 'Every requirement mapped to tests has a test that passed.' : `Not proven: ${named(left)}.`;
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
  const without = passed.length === 0 ? 'Nothing has passed yet.' : `Evidence of one agent alone: ${named(names)}.`;
  return { check: 'EVIDENCE_FROM_BOTH', ok, detail: ok ? 'Both agents gave evidence for each pass.' : without };
}
