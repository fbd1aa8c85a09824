import { fail } from '../../../kernel/errors.ts';
import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../../kernel/memoize.ts';
import { echoName, quotedName } from '../../../kernel/text/safe-echo.ts';
import type { Outline } from '../../document/outline.ts';
import type { SessionState } from '../../state.ts';
import type { Attempt, Defect } from '../record.ts';
import { isStanding } from '../rules.ts';
import { type ScenarioRecord, UNTRIED } from '../state.ts';
import { type Evaluation, evaluateEvidence } from './evaluation.ts';

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

function viewOf(state: SessionState, test: Test, passed: ReadonlySet<string>): Scenario {
  const record = recordOf(state, test.id);
  const open = openAttempt(record);
  const evaluation = open && evaluateEvidence(open.evidence, test.evidence_policy);
  const waitsFor = test.depends_on.filter((id) => !passed.has(id));
  const untried = waitsFor.length > 0 ? 'WAITING' : 'READY';
  const inWork = evaluation?.met ? 'AWAITING_VERDICT' : 'OPEN';
  return { test, record, open, evaluation, waitsFor, status: open ? inWork : (record.outcome ?? untried) };
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
