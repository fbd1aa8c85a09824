import { BUILDERS } from '../../kernel/roles.ts';
import { hasBuilt, taskKey } from '../actions/build-progress.ts';
import { reportedStage, reportKey } from '../actions/gate-reports.ts';
import { named } from '../listing.ts';
import type { SessionState } from '../state.ts';
import type { Obligation } from './obligation.ts';

/**
 * The obligations to build, and to declare the commit that runs. Both end when the builder declares its handshake. The
 * obligation to build ends earlier if the builder completes the last of its tasks.
 */
export function* buildObligations(state: SessionState): Generator<Obligation> {
  const { manifest, verify } = state;
  const { current, build_authorized } = manifest;
  if (!current || !build_authorized) return;
  for (const builder of BUILDERS) {
    if (verify.handshakes[builder]) continue;
    if (!hasBuilt(state, builder))
      yield {
        key: `BEGIN_BUILD ${builder} ${current.manifest_id}`,
        type: 'BEGIN_BUILD',
        due_to: builder,
        text: `The build of ${current.revision_id} is authorized: build what your handoff says. When a task is finished, complete its action with complete_action; poll_actions lists the actions of the tasks (BUILD_TASK).${noteCall(state, 'build')}`,
      };
    yield {
      key: `DECLARE_HANDSHAKE ${builder} ${current.manifest_id}`,
      type: 'DECLARE_HANDSHAKE',
      due_to: builder,
      text: 'When your service runs, declare its commit with verify_handshake; verify_next shows the payload.',
      tool: 'verify_handshake',
    };
  }
}

/**
 * An obligation for each task of the contract, from the authorization of the build to the handshake of the task's
 * builder. These obligations change no instruction and end no wait, because their completion only shows the owner how
 * far the build is.
 */
export function* taskObligations({ manifest, verify, contract: { outline } }: SessionState): Generator<Obligation> {
  const { current, build_authorized } = manifest;
  if (!current || !build_authorized) return;
  for (const { id, assignee } of outline?.tasks ?? []) {
    if (verify.handshakes[assignee]) continue;
    yield {
      key: taskKey(assignee, current.manifest_id, id),
      type: 'BUILD_TASK',
      due_to: assignee,
      text: `Build ${id} as your handoff says. Complete this action when the task is done. Your handshake completes it too.`,
      about: { type: 'task', id },
    };
  }
}

/**
 * The obligation of each builder to report what it saw after the owner authorized the deployment or the activation. It
 * lasts until the authorization ends or the owner authorizes the next stage. The owner can take the next step without
 * the report.
 */
export function* reportObligations(state: SessionState): Generator<Obligation> {
  const stage = reportedStage(state);
  if (!stage) return;
  const gates = (state.contract.outline?.gates ?? []).filter((gate) => gate.stage === stage).map(({ id }) => id);
  const check = gates.length > 0 ? `check the ${stage} gates (${named(gates)})` : 'check that your side works';
  for (const builder of BUILDERS)
    yield {
      key: reportKey(builder, state, stage),
      type: 'REPORT_GATES',
      due_to: builder,
      text: `The ${stage} is authorized. ${STEPS[stage]}, ${check}, then complete this action and report in its note what you saw. The owner reads the note before ${READ_BEFORE[stage]}.${noteCall(state, stage)}`,
      tool: 'complete_action',
      payload: { note: '<what you saw>' },
    };
}

/** A sentence that names the call for reading the owner's note on an authorization. Empty if there is no note. */
function noteCall({ manifest: { noteSeqs } }: SessionState, stage: 'build' | 'deployment' | 'activation'): string {
  const seq = noteSeqs?.[stage];
  return seq ? ` The owner added a note, which read_messages with after ${seq - 1} shows first.` : '';
}

const STEPS = {
  deployment: 'Take the rollout steps of your side in the order of the contract (get_final_plan)',
  activation: 'Take the last rollout steps of your side',
};
const READ_BEFORE = { deployment: 'authorizing the activation', activation: 'ending the session' };
