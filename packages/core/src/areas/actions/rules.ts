import { z } from 'zod';
import { latestTime } from '../../kernel/clock.ts';
import { fail } from '../../kernel/errors.ts';
import { keysOf, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Builder, type Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { At, BuilderRole } from '../fields.ts';
import { isStopped } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import type { Action, Actions } from './state.ts';

const Count = {
  tasks: z.int().describe('Number of tasks in the contract.'),
  done: z
    .int()
    .describe(
      'Number of completed tasks. When a builder has declared its handshake, all of its tasks count as completed.',
    ),
  last_done_at: At.nullable(),
};

export const BuildProgressView = namedObject('BuildProgress', {
  ...Count,
  agents: z.array(z.strictObject({ role: BuilderRole, ...Count, declared: z.boolean().describe('Its handshake.') })),
});
type BuildProgress = z.output<typeof BuildProgressView>;

/**
 * The number of tasks and of completed tasks, in total and of each builder. Null before the owner authorizes the build,
 * and after both builders have declared their handshakes.
 */
export function buildProgress(state: SessionState): BuildProgress | null {
  const { manifest, verify } = state;
  const isBuilding = manifest.build_authorized && BUILDERS.some((builder) => !verify.handshakes[builder]);
  if (!isBuilding || manifest.current === null) return null;
  const agents = BUILDERS.map((role) => progressOf(state, role, manifest.current?.manifest_id ?? ''));
  return {
    tasks: sum(agents.map(({ tasks }) => tasks)),
    done: sum(agents.map(({ done }) => done)),
    last_done_at: latestTime(agents.map(({ last_done_at }) => last_done_at)),
    agents,
  };
}

function progressOf(
  { actions, contract: { outline }, verify }: SessionState,
  role: Builder,
  manifestId: string,
): BuildProgress['agents'][number] {
  const own = (outline?.tasks ?? []).filter(({ assignee }) => assignee === role);
  const handshake = verify.handshakes[role];
  if (handshake) {
    const last_done_at = own.length > 0 ? handshake.declared_at : null;
    return { role, tasks: own.length, done: own.length, last_done_at, declared: true };
  }
  const ticked = own.flatMap(({ id }) => {
    const action = lookUp(actions.all, lookUp(actions.inForce, taskKey(role, manifestId, id)) ?? '');
    return action?.settled_at ? [action.settled_at] : [];
  });
  return { role, tasks: own.length, done: ticked.length, last_done_at: latestTime(ticked), declared: false };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Whether the builder has completed all of its tasks. False if the contract gives the builder no task. */
export function hasBuilt(state: SessionState, role: Builder): boolean {
  const { tasks, done } = progressOf(state, role, state.manifest.current?.manifest_id ?? '');
  return tasks > 0 && done === tasks;
}

export const taskKey = (builder: string, manifestId: string, taskId: string): string =>
  `BUILD_TASK ${builder} ${manifestId} ${taskId}`;

/**
 * The stage on which the builders report, which is the stage that the owner authorized last. Null before the deployment
 * is authorized.
 */
export function reportedStage({ manifest }: SessionState): 'deployment' | 'activation' | null {
  if (manifest.activation_authorized) return 'activation';
  return manifest.deployment_authorized ? 'deployment' : null;
}

export const reportKey = (builder: Builder, { manifest }: SessionState, stage: string): string =>
  `REPORT_GATES ${builder} ${manifest.current?.manifest_id} ${stage}`;

/**
 * The action that asks a builder for its report on the current stage. Undefined if the builder has no such obligation.
 */
export function reportAction(state: SessionState, builder: Builder): Action | undefined {
  const stage = reportedStage(state);
  const id = stage && lookUp(state.actions.inForce, reportKey(builder, state, stage));
  return id ? lookUp(state.actions.all, id) : undefined;
}

export function owesReport(state: SessionState, builder: Builder): boolean {
  const action = reportAction(state, builder);
  return action !== undefined && action.status !== 'COMPLETED';
}

/**
 * A clause for the owner that begins with a comma and names the builders whose report on the current stage is missing.
 * Empty if no report is missing.
 */
export function reportNote(state: SessionState): string {
  const owing = BUILDERS.filter((builder) => owesReport(state, builder));
  if (owing.length === 0) return '';
  const [have, they] = owing.length === 1 ? ['has', 'it'] : ['have', 'they'];
  return `, but ${owing.join(' and ')} ${have} not reported yet what ${they} saw after the authorization of the ${reportedStage(state)}`;
}

/**
 * Returns the action if it is due from the role. Refuses an action of another role with the same error as an unknown
 * id.
 */
export function actionDueTo(actions: Actions, id: string, role: Role): Action {
  const action = lookUp(actions.all, id);
  if (action?.due_to === role) return action;
  return fail('UNKNOWN_RECORD', `You have no action ${id}.`, { record: { type: 'action', id } });
}

/**
 * The event that opens an action for the moderator after an agent has answered a question of the moderator. Only
 * `complete_action` closes this action, because no other call shows that the moderator has read the answer.
 */
export const checkAnswerDraft = ({ all }: Actions, interventionId: string, answeredBy: Role): SessionDraft => ({
  kind: 'action.opened',
  data: {
    action_id: `act_${all.size + 1}`,
    due_to: 'moderator',
    type: 'CHECK_ANSWER',
    text: `Check the answer of ${answeredBy} to question ${interventionId} with get_moderator_questions, then call complete_action.`,
    about: { type: 'intervention', id: interventionId },
  },
  actor: 'system',
});

export function refuseClosed({ action_id, status }: Action): void {
  if (status === 'COMPLETED') fail('ACTION_CLOSED', `Action ${action_id} is completed already.`, { status });
}

/** The PENDING and ACKNOWLEDGED actions of a role, oldest first, including the actions for tasks of the build. */
export const openActionsAndTasksOf = ({ all, open }: Actions, role: Role): Action[] =>
  keysOf(open).flatMap((id) => {
    const action = lookUp(all, id);
    return action?.due_to === role ? [action] : [];
  });

/**
 * The PENDING and ACKNOWLEDGED actions of a role, oldest first. Actions for tasks of the build are left out, because a
 * builder need not complete them.
 */
export const openActionsOf = (actions: Actions, role: Role): Action[] =>
  openActionsAndTasksOf(actions, role).filter(({ type }) => type !== 'BUILD_TASK');

const pendingActionsOf = (actions: Actions, role: Role): Action[] =>
  openActionsOf(actions, role).filter(({ status }) => status === 'PENDING');

/** Whether the action asks for an answer to a finding that does not block. */
export const isOptional = (state: SessionState, { type, payload }: Action): boolean =>
  type === 'RESPOND_FINDING' && isCaveatId(state, payload?.finding_id);

/** Whether a value is the id of a finding that does not block. */
const isCaveatId = ({ findings }: SessionState, id: unknown): boolean =>
  typeof id === 'string' && lookUp(findings.all, id)?.blocking === false;

/** The PENDING actions that the role can complete now. None if a used-up quota stops the writes of the agent. */
export function doableActionsOf(state: SessionState, role: Role): Action[] {
  if (role !== 'owner' && isStopped(state, role)) return [];
  return pendingActionsOf(state.actions, role).filter(
    (action) => role !== 'moderator' || isModeratorsToDo(state, action),
  );
}

/**
 * Whether the moderator can complete the action now. Before the session starts, the action must name no tool. During a
 * pause, the action must name no tool or a tool of `WORKS_IN_PAUSE`.
 */
export const isModeratorsToDo = ({ profile: { status } }: SessionState, { tool }: Action): boolean => {
  if (status === 'ACTIVE') return true;
  if (status === 'ENDED' || tool === undefined) return status !== 'ENDED';
  return status === 'PAUSED' && WORKS_IN_PAUSE.includes(tool);
};

const WORKS_IN_PAUSE: readonly string[] = ['resolve_finding', 'recommend_to_owner'];

/**
 * The actions that the role has completed with `complete_action` although their obligations remain. Each obligation
 * ends when the role calls the tool that the action names.
 */
export const tickedOffActionsOf = ({ all, inForce }: Actions, role: Role): Action[] =>
  valuesOf(inForce).flatMap((id) => {
    const action = lookUp(all, id);
    if (action?.due_to !== role || action.status !== 'COMPLETED' || action.settled_at !== null) return [];
    return action.tool === undefined || action.tool === 'complete_action' ? [] : [action];
  });
