import { BUILDERS } from '../../../kernel/roles.ts';
import { reportNote } from '../../actions/rules.ts';
import { approvalNote, optionsOf } from '../../approvals/rules.ts';
import type { DecidedStep } from '../../approvals/state.ts';
import { openBlockingFindings } from '../../findings/rules.ts';
import { activeHolds } from '../../holds/rules.ts';
import type { Hold } from '../../holds/state.ts';
import { named } from '../../listing.ts';
import { termsOf } from '../../profiles.ts';
import { isBuildReady } from '../../readiness/rules.ts';
import { adviceNote } from '../../recommendations/rules.ts';
import type { SessionState } from '../../state.ts';
import { tasksDue } from '../../tasks/due.ts';
import { carriedPasses, certificationOf, deviatingPasses } from '../../verify/certification.ts';
import { missingGates } from '../../verify/gates.ts';
import { scenariosOf } from '../../verify/scenarios.ts';
import { type OwnerWait, saidBy, waitOf } from './owner-wait.ts';
import { carryWaits, metRefusals, saidByBoth } from './waits.ts';

const manifestRecord = ({ manifest }: SessionState) => ({
  type: 'manifest',
  id: manifest.current?.manifest_id ?? '',
});

export function* readinessWaits(state: SessionState): Generator<OwnerWait> {
  const record = manifestRecord(state);
  if (isBuildReady(state)) {
    const holds = activeHolds(state.holds);
    const ready = termsOf(state).asksReadiness ? 'Both agents are ready' : 'The contract is approved';
    const text = `${ready}: authorize the build, or request changes.`;
    if (holds.length > 0) yield* holdWaits(holds, 'the build');
    else yield authorization(state, { kind: 'BUILD', stage: 'build', text });
    return;
  }
  const blocked = Object.values(state.readiness.reports).filter(({ verdict }) => verdict === 'BLOCKED');
  const [first] = blocked.toSorted((one, other) => one.seq - other.seq);
  if (!first) return;
  const text = `${blocked.map(({ by }) => by).join(' and ')} reported BLOCKED: help to remove the cause, or request changes.`;
  yield waitOf(
    { kind: 'REPORTED_BLOCKED', record, operation: 'requestChanges', text, since: first.submitted_at },
    saidBy(first.by, first.blockers.join('\n')),
  );
}

interface Authorization {
  readonly kind: 'BUILD' | 'DEPLOYMENT' | 'ACTIVATION' | 'RELEASE';
  readonly stage: Exclude<DecidedStep, 'approval'>;
  readonly text: string;
  readonly blocking?: boolean;
}

const authorization = (state: SessionState, { kind, stage, text, blocking = true }: Authorization): OwnerWait =>
  waitOf(
    { kind, record: manifestRecord(state), operation: 'authorize', text, since: state.times.clearedAt },
    { payload: { stage }, ...optionsOf(state, stage), blocking },
  );

/**
 * The owner's next task in VERIFY and RELEASE: an authorization, the end of the session, or what stops the
 * authorization. While a report on the gates is missing, the agents have the next step, so the owner's task does not
 * block.
 */
export function* releaseWaits(state: SessionState): Generator<OwnerWait> {
  const { deployment_authorized, activation_authorized } = state.manifest;
  if (activation_authorized) {
    const record = { type: 'session', id: state.sessionId };
    const note = reportNote(state);
    const text = note
      ? `The activation is authorized${note}: wait for the report, or end the session now.`
      : 'The activation is authorized: end the session when the agents have completed the activation.';
    const since = state.times.clearedAt;
    yield waitOf(
      { kind: 'END', record, operation: 'end', text, since },
      { payload: { end_reason: 'COMPLETED' }, blocking: note === '' },
    );
    return;
  }
  const open = certificationOf(state).flatMap(({ check, ok }) => (ok ? [] : [check]));
  if (open.length > 0) {
    yield* unreleasableWaits(state, open);
  } else if (termsOf(state).releasesAtOnce) {
    if (missingGates(state, 'activation').length > 0) return;
    const text = `Every certification check holds${passNote(state)}: release, which ends the session, or request changes.`;
    yield authorization(state, {
      kind: 'RELEASE',
      stage: 'release',
      text: text + adviceNote(state) + approvalNote(state, 'release'),
    });
  } else if (deployment_authorized) {
    if (missingGates(state, 'activation').length > 0) return;
    const note = reportNote(state);
    const holds = `Every check still holds${passNote(state)}`;
    const text = note
      ? `${holds}${note}: wait for the report, or authorize the activation now.`
      : `${holds}: authorize the activation, or refuse it and say why.`;
    yield authorization(state, {
      kind: 'ACTIVATION',
      stage: 'activation',
      text: text + approvalNote(state, 'activation'),
      blocking: note === '',
    });
  } else {
    const passes = passNote(state);
    const text =
      passes === ''
        ? 'Every certification check holds: authorize the deployment, or request changes.'
        : `Every certification check holds${passes}: read them on the board, then authorize the deployment or request changes.`;
    yield authorization(state, {
      kind: 'DEPLOYMENT',
      stage: 'deployment',
      text: text + adviceNote(state) + approvalNote(state, 'deployment'),
    });
  }
}

/** Passes with deviations, carried passes, and the fixes that a refusal demanded: ", with deviations in test-reserve/2". */
function passNote(state: SessionState): string {
  const deviating = deviatingPasses(state).map(({ scenario_id, attempt }) => `${scenario_id}/${attempt}`);
  const carried = carriedPasses(scenariosOf(state));
  const notes = [
    ...(deviating.length > 0 ? [`deviations in ${named(deviating)}`] : []),
    ...(carried.length > 0 ? [`${named(carried)} carried over from other commits`] : []),
    ...metRefusals(state).map(
      ({ defect_id, refusal }) => `the fix of ${defect_id}, for which you refused the ${refusal?.stage}`,
    ),
  ];
  return notes.length === 0 ? '' : `, with ${notes.join(' and ')}`;
}

/**
 * The owner's tasks while a certification check fails. If only findings and holds stop the release, there is a task for
 * each of them. Otherwise, if scenarios have not passed and no builder has a step left, the task is to request changes.
 * During a pause, the steps that the builders will have after the pause count, because a request for changes would undo
 * the builders' work.
 */
function* unreleasableWaits(state: SessionState, open: readonly string[]): Generator<OwnerWait> {
  if (open.every((check) => check === 'NO_ACTIVE_HOLD' || check === 'NO_BLOCKING_FINDING')) {
    yield* findingAndHoldWaits(state);
    return;
  }
  const running: SessionState = { ...state, profile: { ...state.profile, status: 'ACTIVE' } };
  const isIdle = BUILDERS.every((builder) => tasksDue(running, builder).length === 0);
  if (!open.includes('SCENARIOS_PASSED')) return;
  yield* carryWaits(state);
  if (!isIdle) return;
  const text =
    'The check SCENARIOS_PASSED is not met, and no agent has a call left that could meet this check: request changes of the contract.';
  const since = state.times.clearedAt;
  yield waitOf({ kind: 'STUCK', record: manifestRecord(state), operation: 'requestChanges', text, since });
}

/**
 * The tasks for blocking findings, and for holds on other findings. A hold on a listed finding is left out, because
 * closing the finding releases the hold.
 */
function* findingAndHoldWaits({ findings, holds }: SessionState): Generator<OwnerWait> {
  const blocking = openBlockingFindings(findings);
  for (const finding of blocking) {
    const { finding_id: id, raised_at: since } = finding;
    const text = `Finding ${id} stops the release: ask the agent that raised it to resolve it, or override the finding.`;
    yield waitOf(
      { kind: 'BLOCKER', record: { type: 'finding', id }, operation: 'overrideFinding', text, since },
      { payload: { finding_id: id }, ...saidByBoth(finding) },
    );
  }
  const blockingIds = new Set(blocking.map(({ finding_id }) => finding_id));
  yield* holdWaits(
    activeHolds(holds).filter(({ finding_id }) => !blockingIds.has(finding_id)),
    'the release',
  );
}

/** The tasks for holds if nothing else stops the next step. */
function* holdWaits(holds: readonly Hold[], stopped: string): Generator<OwnerWait> {
  for (const { hold_id: id, finding_id, opened_at: since, opened_by, reason } of holds) {
    const text = `Only hold ${id} on finding ${finding_id} stops ${stopped}: wait until the finding is closed, or release the hold.`;
    yield waitOf(
      { kind: 'HOLD', record: { type: 'hold', id }, operation: 'releaseHold', text, since },
      { finding_id, payload: { hold_id: id }, ...saidBy(opened_by, reason) },
    );
  }
}
