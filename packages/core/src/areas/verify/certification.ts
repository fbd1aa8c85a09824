import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { viewAttachment } from '../attachments/rules.ts';
import { AttachmentView } from '../attachments/state.ts';
import { standingPreflight } from '../contract/preflight.ts';
import { GateRun, GateStage, type Outline } from '../document/contract.ts';
import { BuilderRole, type EvidenceLevel, EvidenceLevelName, lowestLevel, MessageCursor } from '../fields.ts';
import { activeHolds, closerOf, openBlockingFindings } from '../findings/rules.ts';
import { named } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { levelOfItem } from './events.ts';
import {
  levelOfScenario,
  missingWords,
  onOtherFixture,
  passOf,
  type Scenario,
  scenariosOf,
  standingDefects,
  undeclared,
  unready,
} from './scenarios.ts';
import { isDeclaredBy } from './state.ts';

/**
 * The gates of the contract that the run of a command has to meet. Any other gate is met by what the agents report in words after
 * the step, which the service does not judge.
 */

/** Where a gate stands that demands a run. `missing` contains no text of an agent but names of tests. */
export const GateStanding = namedObject('GateStanding', {
  gate_id: z.string(),
  stage: GateStage,
  run: GateRun,
  level: EvidenceLevelName.nullable().describe('Of the run that meets it; null while none does.'),
  message_id: MessageCursor.optional().describe('Its last run.'),
  missing: z.array(z.string()),
  attachments: z.array(AttachmentView).optional(),
});
export type GateStanding = z.output<typeof GateStanding>;

type Gate = Outline['gates'][number];
type Stage = Gate['stage'];

/** The gates of the current manifest that demand a run. */
export const gateStandings = (state: SessionState): GateStanding[] =>
  (state.manifest.current ? (state.contract.outline?.gates ?? []) : []).flatMap((gate) =>
    gate.run ? [standingOf(state, gate, gate.run)] : [],
  );

/** The gates of a stage that demand a run, and that no run meets. */
export const missingGates = (state: SessionState, stage: Stage): GateStanding[] =>
  gateStandings(state).filter((gate) => gate.stage === stage && gate.level === null);

/** Gates with who must run what, for a sentence: `gate-deploy (agent_a)`. */
export const gateWords = (gates: readonly GateStanding[]): string[] =>
  gates.map(({ gate_id, run }) => `${gate_id} (${run.by})`);

function standingOf(state: SessionState, { id, stage }: Gate, run: z.output<typeof GateRun>): GateStanding {
  const last = lookUp(state.verify.gates, id);
  const missing = missingOf(state, id, run);
  const attachments = state.attachments.filter(({ gate_id }) => gate_id === id).map(viewAttachment);
  return {
    gate_id: id,
    stage,
    run,
    level: missing.length > 0 || !last ? null : levelOfItem({ run: last }),
    ...(last && { message_id: last.message_id }),
    missing,
    ...(attachments.length > 0 && { attachments }),
  };
}

function missingOf({ verify }: SessionState, id: string, { by }: z.output<typeof GateRun>): string[] {
  const last = lookUp(verify.gates, id);
  if (!last) return [`a recorded run by ${by}`];
  const isOld = !isDeclaredBy(verify, by, last.commit);
  const isShort = last.not_recorded?.some((reason) => reason !== 'OTHER_COMMAND');
  return [
    ...(isShort || isOld ? [`a recorded run by ${by} on its declared commit`] : []),
    ...(last.not_recorded?.includes('OTHER_COMMAND') ? ['a run of the command that the contract names for it'] : []),
    ...(last.failed ? ['a run that does not fail'] : []),
    ...(last.named ?? []).flatMap(({ name: test, status }) =>
      status === 'skipped' || status === 'missing' ? [missingWords({ builder: by, test, status })] : [],
    ),
  ];
}

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
