import { BUILDERS, type Builder, otherBuilder } from '../../kernel/roles.ts';
import { hasModerator, moderatorPermissions } from '../access/rules.ts';
import { hasBuilt, reportedStage, reportKey, taskKey } from '../actions/rules.ts';
import { handoffName } from '../document/contract.ts';
import { activeHolds } from '../findings/rules.ts';
import { adviceKey } from '../interventions/rules.ts';
import { named } from '../listing.ts';
import { missingForBuild, reportToCheck } from '../manifest/readiness.ts';
import { receiptsMissing } from '../manifest/rules.ts';
import { termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import { about, type Task } from '../task.ts';
import { certificationOf } from '../verify/certification.ts';
import { disputeOf, hasNewCommit } from '../verify/defects.ts';
import { ENVIRONMENT, isProduction } from '../verify/given-evidence.ts';
import { standingDefects } from '../verify/scenarios.ts';
import type { Defect } from '../verify/state.ts';
import { scenarioTasks } from './scenario-tasks.ts';

/**
 * The tasks in READINESS: to check the other builder's answers, which begins when both builders are ready, to confirm the
 * artifacts, then to report readiness.
 */
export function* readinessTasks(state: SessionState): Generator<Task> {
  const { manifest, readiness, profile } = state;
  const { current } = manifest;
  if (!current || profile.phase !== 'READINESS' || !termsOf(state).asksReadiness) return;
  yield* checkTasks(state);
  const { manifest_id, revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version } = current;
  const record = { type: 'manifest', id: manifest_id };
  for (const due_to of BUILDERS) {
    const missing = receiptsMissing(manifest, due_to).length;
    if (missing > 0) {
      yield {
        ...about('CONFIRM_RECEIPTS', due_to, record),
        tool: 'list_artifacts',
        text: `You have not confirmed ${missing} of your artifacts. Call fetch_artifact for those whose content you do not have, then confirm all of them in one call of confirm_receipt, or in receipts of submit_readiness.`,
        action: {
          tool: 'confirm_receipt',
          payload: { filename: '<a filename of list_artifacts>', sha256: '<sha256 of the content you fetched>' },
          text: `Confirm the artifacts of manifest ${manifest_id} that list_artifacts shows: fetch those whose content you have not read, then confirm all of them with confirm_receipt.`,
        },
      };
    } else if (!readiness.reports[due_to]) {
      const given = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
      yield {
        ...about('SUBMIT_READINESS', due_to, record),
        tool: 'get_readiness_questions',
        text: 'Read your readiness questions with get_readiness_questions, then answer them from your handoff with submit_readiness.',
        action: {
          tool: 'submit_readiness',
          payload: { ...given, verdict: '<READY_TO_CODE or BLOCKED>', answers: '<one answer per question>' },
          text: `Answer the questions of get_readiness_questions from your handoff, and report your readiness for manifest ${manifest_id}. If the other agent has reported, with_answers: true shows its answers too, and confirms in your report confirms them.`,
        },
      };
    }
  }
}

function* checkTasks(state: SessionState): Generator<Task> {
  for (const due_to of BUILDERS) {
    const report = reportToCheck(state, due_to);
    if (!report) continue;
    const call = { tool: 'complete_action' };
    const text = `Read the answers of ${report.by} in get_readiness_questions. Dispute those that do not fit the contract or your side with submit_finding (target: the question_id), then complete this action without a note, which confirms all other answers.`;
    yield {
      key: `CONFIRM_ANSWERS ${due_to} ${report.seq}`,
      code: 'CONFIRM_ANSWERS',
      due_to,
      record: { type: 'readiness', id: report.by },
      ...call,
      text,
      action: { ...call, text },
    };
  }
}

/** Why a builder that has no task in READINESS waits. */
export function reasonInReadiness(state: SessionState, role: Builder): string {
  if (state.readiness.reports[role]?.verdict === 'BLOCKED')
    return 'You reported BLOCKED. Wait for the owner to remove the cause, then call submit_readiness again.';
  const { reports, checks, disputes } = missingForBuild(state);
  if (reports.length > 0) return `Wait for ${reports.join(' and ')} to report READY_TO_CODE.`;
  if (checks.length > 0)
    return `Wait for ${checks.join(' and ')} to confirm or dispute the readiness answers of the other agent.`;
  const [dispute] = disputes;
  if (dispute)
    return `Wait for ${dispute.raised_by} to resolve finding ${dispute.finding_id}, which disputes a readiness answer and stops the build.`;
  const [hold] = activeHolds(state.holds);
  const ready = termsOf(state).asksReadiness ? 'Both agents are ready' : 'The contract is approved';
  return hold
    ? `${ready}. Wait until hold ${hold.hold_id} on finding ${hold.finding_id} is released: it stops the build.`
    : `${ready}. Wait for the owner to authorize the build.`;
}

/** What the action DECLARE_HANDSHAKE says, and the instruction repeats. */
const DECLARE = 'When your service runs, declare it with verify_handshake.';

/**
 * The tasks to build, and to declare the commit that runs. Both end when the builder declares its handshake. The task to
 * build ends earlier if the builder completes the last of its tasks of the contract.
 */
export function* buildTasks(state: SessionState): Generator<Task> {
  const { current, build_authorized } = state.manifest;
  if (!current || !build_authorized) return;
  const record = { type: 'manifest', id: current.manifest_id };
  for (const due_to of BUILDERS) {
    if (state.verify.handshakes[due_to]) continue;
    const read = termsOf(state).asksReadiness ? '' : ` (fetch_artifact ${handoffName(due_to)})`;
    const text = `The build of ${current.revision_id} is authorized: build what your handoff says${read}.${noteCall(state, 'build')}`;
    const isBuilding = !hasBuilt(state, due_to);
    if (isBuilding) yield { ...about('BEGIN_BUILD', due_to, record), text, action: { text } };
    yield {
      ...handshakeTask(state, due_to, `${text} ${DECLARE} Verification needs the handshakes of both builders.`),
      isBuilding,
      action: { tool: 'verify_handshake', text: DECLARE },
    };
  }
}

/**
 * A task for each task of the contract, from the authorization of the build to the handshake of its builder. These tasks
 * change no instruction and end no wait, because their completion only shows the owner how far the build is.
 */
export function* contractTaskTasks({ manifest, verify, contract: { outline } }: SessionState): Generator<Task> {
  const { current, build_authorized } = manifest;
  if (!current || !build_authorized) return;
  for (const { id, assignee } of outline?.tasks ?? []) {
    if (verify.handshakes[assignee]) continue;
    const about = { type: 'task', id };
    const text = `Build ${id}. Complete this action only to show the owner before your handshake that the task is done: the handshake completes it too.`;
    const key = taskKey(assignee, current.manifest_id, id);
    yield { key, code: 'BUILD_TASK', due_to: assignee, record: about, text, action: { text, about } };
  }
}

/**
 * The task of each builder to report what it saw after the owner authorized the deployment or the activation. It lasts
 * until the authorization ends or the owner authorizes the next stage. The owner can take the next step without the
 * report.
 */
export function* reportTasks(state: SessionState): Generator<Task> {
  const stage = reportedStage(state);
  if (!stage || !termsOf(state).asksGateReports) return;
  const text = `The ${stage} is authorized. ${STEPS[stage].agent}, ${gateCheck(state, stage)}, then complete this action and report in its note what you saw. The owner reads the note before ${STEPS[stage].before}.${noteCall(state, stage)}`;
  const call = { tool: 'complete_action', payload: { note: '<what you saw>' } };
  for (const due_to of BUILDERS)
    yield {
      ...about('REPORT_GATES', due_to, { type: 'manifest', id: state.manifest.current?.manifest_id ?? '' }),
      key: reportKey(due_to, state, stage),
      ...call,
      text,
      action: { ...call, text },
    };
}

function gateCheck(state: SessionState, stage: Stage): string {
  const gates = (state.contract.outline?.gates ?? []).filter((gate) => gate.stage === stage).map(({ id }) => id);
  return gates.length > 0 ? `check the ${stage} gates (${named(gates)})` : 'check that your side works';
}

/** The text of {@link reportTasks} for the owner, who cannot call the tools of agents. */
export const reportTextForOwner = (state: SessionState, stage: Stage): string =>
  `The ${stage} is authorized. ${STEPS[stage].owner}, ${gateCheck(state, stage)}, then complete this action and report in its note what you saw. The owner reads the note before ${STEPS[stage].before}.`;

/** A sentence that names the call for reading the owner's note on an authorization. Empty if there is no note. */
function noteCall({ manifest: { noteSeqs } }: SessionState, stage: 'build' | Stage): string {
  const seq = noteSeqs?.[stage];
  return seq ? ` The owner added a note, which read_messages with after ${seq - 1} shows first.` : '';
}

type Stage = 'deployment' | 'activation';

const STEPS = {
  deployment: {
    agent: 'Take the rollout steps of your side in the order of the contract (get_final_plan)',
    owner: 'Take the rollout steps of your side in the order of the contract',
    before: 'authorizing the activation',
  },
  activation: {
    agent: 'Take the last rollout steps of your side',
    owner: 'Take the last rollout steps of your side',
    before: 'ending the session',
  },
};

/** The tasks of verification: another handshake, the fixes of the defects, and the tasks about the scenarios. */
export function* verifyTasks(state: SessionState): Generator<Task> {
  const { current } = state.manifest;
  const isVerifying = current !== null && (state.profile.phase === 'VERIFY' || state.profile.phase === 'RELEASE');
  for (const builder of BUILDERS) if (isVerifying) yield* anotherHandshake(state, builder);
  for (const defect of standingDefects(state)) if (defect.status === 'OPEN') yield fixTask(state, defect);
  for (const builder of BUILDERS) if (isVerifying) yield* scenarioTasks(state, builder);
}

/** The handshake that a builder has to declare again, because its last one does not allow to verify. */
function* anotherHandshake(state: SessionState, builder: Builder): Generator<Task> {
  const own = state.verify.handshakes[builder];
  if (!own) return;
  const declared = own.fixture_version;
  if (!own.ready || !own.dependencies_healthy)
    yield handshakeTask(
      state,
      builder,
      'Your handshake says that your service is not ready or not healthy. Call verify_handshake again when the service is ready and healthy.',
    );
  else if (declared !== undefined && declared !== state.manifest.current?.fixture_version)
    yield handshakeTask(
      state,
      builder,
      'Your handshake names another fixture_version than the manifest: call verify_handshake again with the fixture_version of the manifest.',
    );
}

/** The task to declare the commit that runs. */
function handshakeTask(state: SessionState, due_to: Builder, text: string): Task {
  const { profile, manifest, verify } = state;
  const id = manifest.current?.manifest_id ?? '';
  const own = verify.handshakes[due_to];
  return {
    ...about('DECLARE_HANDSHAKE', due_to, { type: 'manifest', id }),
    tool: 'verify_handshake',
    payload: {
      service: own?.service ?? profile.agents[due_to].service,
      version: '<version that runs>',
      commit: '<commit that runs, 7 to 64 hex digits>',
      environment: own?.environment ?? placeToVerify(profile.environment) ?? '<local, test, ci, preview or staging>',
      ...(servesHttp(state, due_to) && { address: own?.address ?? '<URL at which the other agent reaches it>' }),
      ready: true,
      dependencies_healthy: true,
      fixture_version: manifest.current?.fixture_version,
    },
    text,
  };
}

/** The place that the owner named, if a handshake takes its name. */
const placeToVerify = (named = ''): string | undefined =>
  ENVIRONMENT.test(named) && !isProduction(named) ? named : undefined;

const servesHttp = ({ contract: { outline } }: SessionState, builder: Builder): boolean =>
  (outline?.interfaces ?? []).some(({ kind, provider }) => kind === 'http' && provider === builder);

/** How the builder that must fix a defect says that the other builder must fix it, or where it has said so. */
function disputeText(state: SessionState, { defect_id, assigned_to }: Defect): string {
  const dispute = disputeOf(state, defect_id);
  if (dispute)
    return `You dispute it in ${dispute.finding_id}, which the owner reads: the owner can assign it to ${otherBuilder(assigned_to)}.`;
  return `If ${otherBuilder(assigned_to)} has to fix it, say why with submit_finding (target ${defect_id}, blocking false): the owner decides.`;
}

/**
 * The task to fix a defect: first to declare the new commit, then to mark the defect fixed. It ends when the defect is
 * fixed or waived, and when a new manifest replaces the manifest whose verification found the defect.
 */
function fixTask(state: SessionState, defect: Defect): Task {
  const { defect_id, scenario_id, assigned_to: due_to, failed_seq } = defect;
  const call = { tool: 'verify_submit_fix', payload: { defect_id, note: '<what you changed>' } };
  const task = {
    ...about('FIX_DEFECT', due_to, { type: 'defect', id: defect_id }, failed_seq),
    scenario_id,
    action: {
      ...call,
      text: `Fix defect ${defect_id} of ${scenario_id}, declare the new commit, then mark the defect fixed.`,
    },
  };
  if (!hasNewCommit(state.verify, defect, due_to)) {
    const { tool, payload } = handshakeTask(state, due_to, '');
    return { ...task, tool, payload, text: toDeclare(state, defect), fixes: defect_id };
  }
  const text = `You have declared a new commit since defect ${defect_id} of ${scenario_id} was found: mark the defect fixed with verify_submit_fix.`;
  return { ...task, ...call, text };
}

function toDeclare(state: SessionState, defect: Defect): string {
  const { defect_id, scenario_id, refusal: refused, failed_seq } = defect;
  const refusal = refused
    ? `the owner refused the ${refused.stage} for it, read why in message ${failed_seq} (read_messages, after ${failed_seq - 1}); `
    : '';
  return `Defect ${defect_id} of ${scenario_id} is assigned to you: ${refusal}fix it, then declare the new commit with verify_handshake. ${disputeText(state, defect)}`;
}

/**
 * The task to advise the owner on the deployment. It lasts from the time when all certification checks pass to the
 * authorization of the deployment. The owner can authorize the deployment without this advice.
 */
export function* adviceTask(state: SessionState): Generator<Task> {
  if (!hasModerator(state)) return;
  const { current } = state.manifest;
  if (!current || state.profile.phase !== 'VERIFY' || !moderatorPermissions(state).includes('recommend')) return;
  if (!certificationOf(state).every(({ ok }) => ok)) return;
  const call = {
    tool: 'recommend_to_owner',
    payload: {
      recommendation: '<PROCEED, REQUEST_CHANGES, PAUSE or OTHER>',
      text: '<what you advise, and what the owner should know>',
    },
  };
  const step = termsOf(state).releasesAtOnce ? 'release' : 'deployment';
  const text = `Every certification check of ${current.manifest_id} holds: read verify_board, then recommend to the owner with recommend_to_owner whether to authorize the ${step}, and say what the owner should know before. The owner can authorize the ${step} without your advice.`;
  yield {
    ...about('ADVISE_DEPLOYMENT', 'moderator', { type: 'manifest', id: current.manifest_id }),
    key: adviceKey(current.manifest_id),
    ...call,
    text,
    action: { ...call, text },
  };
}
