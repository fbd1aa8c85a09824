import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import type { Caller } from '../../kernel/operation/operation.ts';
import { plural } from '../../kernel/text/readable.ts';
import { RELEASE } from '../approvals/events.ts';
import {
  ApprovalsView,
  approve,
  firstApprovalText,
  isComplete,
  viewAllApprovals,
  viewApprovals,
} from '../approvals/rules.ts';
import type { SessionDraft } from '../catalog.ts';
import { GATE_STAGES } from '../document/contract.ts';
import { At, BuilderRole, DefectId, LogHead, Reason, text } from '../fields.ts';
import { defectGrounds, SEEN, scenarioGrounds, stepGrounds } from '../grounds/rules.ts';
import { viewAuthorizations } from '../manifest/rules.ts';
import { AuthorizationsView } from '../manifest/state.ts';
import { defineDecision, defineOperation } from '../operation.ts';
import { profileOf, termsOf } from '../profiles.ts';
import { AgentView, viewAgents } from '../session/views.ts';
import type { SessionState } from '../state.ts';
import { owesOf } from '../tasks/agent-tasks.ts';
import { BoardInput, boardSeqs, isFull, viewWholeBoard, WholeBoardView } from '../verify/board.ts';
import { gateWords, missingGates, requireCertified } from '../verify/certification.ts';
import { commitAddress, defectOf, standingDefect } from '../verify/defects.ts';
import { RefusedStage } from '../verify/events.ts';
import { carryDraft, declaredCommits, notDone, passOf, scenarioOf } from '../verify/scenarios.ts';
import {
  CarriedPassView,
  DefectResult,
  type FullScenario,
  FullScenarioView,
  viewCarriedPass,
  viewDefect,
} from '../verify/schemas.ts';
import { WorkflowView } from '../verify/state.ts';
import { authorizedBuild, requireBuildable } from './approval.ts';
import { viewWorkflows } from './links.ts';
import { refuseToDrop, requireOpen, requirePhase, requireStatus, Standing, viewStanding } from './rules.ts';
import { GroupReady } from './view.ts';

export const AgentOnBoard = z.strictObject({
  ...AgentView.shape,
  commit: z.string().nullable().describe('The declared commit.'),
  commit_url: z
    .string()
    .nullable()
    .describe(
      'Web page of the declared commit; null unless the repository is an https or ssh address of a known forge.',
    ),
});

/** Both builders, each with the commit that it has declared and the address of that commit's web page. */
const agentsOnBoard = ({ profile, verify }: SessionState): z.output<typeof AgentOnBoard>[] =>
  viewAgents(profile).map((agent) => {
    const commit = verify.handshakes[agent.role]?.commit ?? null;
    return { ...agent, commit, commit_url: commit === null ? null : commitAddress(agent.repository, commit) };
  });

/** Domain 2 and 9.6. Authorizes the build, the deployment or the activation, each in its own phase, or the release. */
export const authorize = defineDecision({
  name: 'authorize',
  summary: 'Authorize the build, the deployment, the activation or the release, once all conditions for it hold.',
  access: { owner: 'approver' },
  input: z.strictObject({
    stage: z
      .enum([...GATE_STAGES, RELEASE])
      .describe(
        'build needs both agents ready, in the profile light only the approval; deployment and activation need all certification checks. release is deployment, activation and the end of the session in one, for the profile light.',
      ),
    note: text(2_000)
      .optional()
      .describe(
        'A note for the agents, who read it in the transcript. If two approvers are needed, the agents get only the note of the second approver.',
      ),
    group_ready: GroupReady,
    ...SEEN,
  }),
  output: z.strictObject({ ...Standing.shape, authorizations: AuthorizationsView, approvals: ApprovalsView }),
  errors: ['INVALID_TRANSITION', 'INVALID_INPUT', 'NOT_READY', 'CERTIFICATION_INCOMPLETE', 'HOLD_ACTIVE'],

  said: ({ input: { stage }, answer: { approvals }, before }) =>
    isComplete(approvals)
      ? `${AUTHORIZED[stage]}${stage === RELEASE ? ` ${notDone(before, 'owner')}` : ''}`
      : firstApprovalText(approvals),

  restsOn: (state, { stage }) => stepGrounds(state, stage),

  decide(state, { stage, note, group_ready }, caller) {
    requireStatus(state, 'authorize', 'ACTIVE', 'PAUSED');
    if (group_ready && stage !== 'deployment' && stage !== RELEASE) refuseGroupReady(stage);
    const drafts = DRAFTS[stage](state, caller, note === undefined ? {} : { note });
    if (drafts.length === 0 && note !== undefined)
      refuseToDrop(
        'note',
        state.manifest.activation_authorized
          ? 'The activation is authorized'
          : `Your authorization of the ${stage} is recorded`,
        'Tell the agents with direct.',
      );
    return drafts;
  },

  reply: (state, { stage }) => ({
    ...viewStanding(state),
    authorizations: viewAuthorizations(state.manifest),
    approvals: viewApprovals(state, stage),
  }),
});

function refuseGroupReady(stage: string): never {
  const message = `group_ready is for the deployment and the release; this call authorizes the ${stage}.`;
  return fail('INVALID_INPUT', message, { issues: [{ path: 'group_ready', message }] });
}

const AUTHORIZED: Readonly<Record<Stage, string>> = {
  build: 'The build is authorized.',
  deployment: 'The deployment is authorized.',
  activation: 'The activation is authorized.',
  release: 'Deployment and activation are authorized, and the session is ended for good.',
};

/** The member of an event's data with the owner's note. Absent if the owner wrote no note. */
interface Noted {
  readonly note?: string;
}

type MakesDrafts = (state: SessionState, caller: Caller, noted: Noted) => SessionDraft[];

type Stage = (typeof GATE_STAGES)[number] | typeof RELEASE;

const DRAFTS: Readonly<Record<Stage, MakesDrafts>> = {
  build: buildDrafts,
  deployment: deploymentDrafts,
  activation: activationDrafts,
  release: releaseDrafts,
};

function buildDrafts(state: SessionState, _caller: Caller, noted: Noted): SessionDraft[] {
  requirePhase(state, 'authorize build', 'READINESS');
  const { current } = state.manifest;
  if (!current) return fail('NOT_READY', 'No contract is approved.', { waiting_for: [] });
  requireBuildable(state);
  return authorizedBuild(current, noted);
}

function deploymentDrafts(state: SessionState, caller: Caller, noted: Noted): SessionDraft[] {
  requirePhase(state, 'authorize deployment', 'VERIFY');
  const data = { ...certifiedCommits(state), ...noted };
  return approve(state, caller, { stage: 'deployment', ...data }, (counted) => deployedDrafts({ ...data, ...counted }));
}

/**
 * In RELEASE, the declared commits are the deployed commits, because a changed commit would have moved the session back
 * to VERIFY.
 */
function activationDrafts(state: SessionState, caller: Caller, noted: Noted): SessionDraft[] {
  requirePhase(state, 'authorize activation', 'RELEASE');
  const data = { ...certifiedCommits(state), ...noted };
  if (state.manifest.activation_authorized) return [];
  requireActivationGates(state);
  return approve(state, caller, { stage: 'activation', ...data }, (counted) => [
    { kind: 'activation.authorized', data: { ...data, ...counted } },
  ]);
}

function requireActivationGates(state: SessionState): void {
  const left = missingGates(state, 'activation');
  if (left.length > 0)
    fail('CERTIFICATION_INCOMPLETE', `Gates of the activation that no run meets: ${gateWords(left).join(', ')}.`, {
      gates: left.map(({ gate_id, missing }) => ({ gate_id, missing })),
    });
}

function requireOneRelease(state: SessionState): void {
  if (!termsOf(state).releasesAtOnce)
    fail('INVALID_TRANSITION', `A session of the profile ${profileOf(state)} is not released in one decision.`, {
      hint: 'Authorize the deployment, then the activation, each after the reports of the agents; then end the session.',
    });
}

/** What is not authorized yet of deployment and activation, and the end of the session. */
function releaseDrafts(state: SessionState, caller: Caller, noted: Noted): SessionDraft[] {
  requireOneRelease(state);
  requirePhase(state, 'authorize release', 'VERIFY', 'RELEASE');
  const data = certifiedCommits(state);
  requireActivationGates(state);
  const { deployment_authorized, activation_authorized } = state.manifest;
  return approve(state, caller, { stage: RELEASE, ...data, ...noted }, (counted): SessionDraft[] => [
    ...(deployment_authorized ? [] : deployedDrafts({ ...data, ...counted })),
    ...(activation_authorized ? [] : [{ kind: 'activation.authorized' as const, data: { ...data, ...counted } }]),
    { kind: 'session.ended', data: { end_reason: 'COMPLETED', ...noted } },
  ]);
}

type Deployed = ReturnType<typeof certifiedCommits> & Noted & { readonly approvals?: number[] };

const deployedDrafts = (data: Deployed): SessionDraft[] => [
  { kind: 'deployment.authorized', data },
  { kind: 'phase.changed', data: { from: 'VERIFY', to: 'RELEASE' }, actor: 'system' },
];

function certifiedCommits(state: SessionState) {
  requireCertified(state);
  return { manifest_id: state.manifest.current?.manifest_id ?? '', commits: { ...declaredCommits(state) } };
}

const OwedView = namedObject('Owed', {
  role: BuilderRole,
  what: z.string().describe('What the builder must give, such as "the verdict".'),
  since: At,
});

const ScenarioOfOwner = z.strictObject({
  ...FullScenarioView.shape,
  owes: z.array(OwedView).describe('What each builder has to do before the scenario can pass.'),
});

const FullBoardView = namedObject('FullBoard', {
  ...WholeBoardView.shape,
  head: LogHead,
  agents: z.array(AgentOnBoard),
  approvals: z.array(ApprovalsView).describe('Who approved the contract and authorized each step.'),
  scenarios: z.array(ScenarioOfOwner),
  workflows: z.array(WorkflowView).describe('Whose reports count as evidence of level ci.'),
});

/** Shows the test board that both agents see, and what each builder must do next for each scenario. */
export const board = defineOperation({
  name: 'board',
  summary:
    'Read the test board: scenarios with the tasks of each builder, handshakes, attempts, evidence of both agents, defects and checks. With scenario_id, read the full evidence of one scenario.',
  access: { owner: true },
  input: BoardInput,
  output: FullBoardView,
  errors: ['UNKNOWN_RECORD'],

  reads: boardSeqs,
  reply(state, input, { caller: { role }, loaded }) {
    const { scenarios, ...rest } = viewWholeBoard(state, { tool: 'board', input, role, loaded });
    return {
      ...rest,
      head: { ...state.head },
      agents: agentsOnBoard(state),
      approvals: viewAllApprovals(state),
      workflows: viewWorkflows(state),
      scenarios: scenarios.filter(isFull).map((one) => withOwes(state, one)),
    };
  },
});

const withOwes = (state: SessionState, scenario: FullScenario): z.output<typeof ScenarioOfOwner> => ({
  ...scenario,
  owes: owesOf(state, scenarioOf(state, scenario.scenario_id)).map((owed) => ({ ...owed })),
});

/** Lets a stale pass count for the declared commits, if the contract allows it for the test. */
export const carryPass = defineDecision({
  name: 'carryPass',
  summary: 'Let a stale pass count for the declared commits without a rerun, for the reason that you give.',
  access: { owner: true },
  input: z.strictObject({ scenario_id: text(60), reason: Reason, ...SEEN }),
  output: CarriedPassView,
  errors: [
    'INVALID_TRANSITION',
    'UNKNOWN_RECORD',
    'ATTEMPT_CLOSED',
    'NOT_ASSIGNED',
    'DEFECT_OPEN',
    'HANDSHAKE_INCOMPLETE',
    'HANDSHAKE_NOT_READY',
    'FIXTURE_MISMATCH',
    'DEPENDENCY_NOT_PASSED',
  ],

  said({ answer: { scenario_id, attempt, carried }, nameOf }) {
    const { commits, changes, reason } = carried;
    const differences = changes.map(
      ({ declared_by, since, paths }) =>
        `${since.slice(0, 12)} → ${commits[declared_by].slice(0, 12)} (${plural(paths, 'changed path')}, declared by ${nameOf(declared_by)})`,
    );
    return `${scenario_id}/${attempt} counts as passed: ${differences.join(', ') || 'the same commits again'}: ${reason}`;
  },

  restsOn: (state, { scenario_id }) => scenarioGrounds(state, scenario_id),

  decide(state, { scenario_id, reason }) {
    requireStatus(state, 'carryPass', 'ACTIVE', 'PAUSED');
    return [carryDraft(state, { scenario_id, reason, by: 'owner' })];
  },

  reply(state, { scenario_id }) {
    const [pass] = viewCarriedPass(scenarioOf(state, scenario_id));
    if (!pass) throw new Error('The carried pass was stored, but the state does not contain it.');
    return pass;
  },
});

/** Domain 3. Assigns a defect to the builder `role`, which must then fix the defect instead of the other builder. */
export const reassignDefect = defineDecision({
  name: 'reassignDefect',
  summary: 'Assign a defect to the other agent; you can add your reason.',
  access: { owner: true },
  input: z.strictObject({ defect_id: DefectId, role: BuilderRole, reason: Reason.optional(), ...SEEN }),
  output: DefectResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'DEFECT_CLOSED'],

  said: ({ answer: { defect }, nameOf }) => `${defect.defect_id} is assigned to ${nameOf(defect.assigned_to)}.`,

  restsOn: (state, { defect_id }) => defectGrounds(state, defect_id),

  decide(state, { defect_id, role, reason }) {
    requireOpen(state, 'reassignDefect');
    const { assigned_to, scenario_id, reassigned = [] } = standingDefect(state.verify, defect_id);
    if (assigned_to === role) {
      if (reason !== undefined && reason !== reassigned.at(-1)?.reason)
        refuseToDrop(
          'reason',
          `${defect_id} is assigned to ${role}`,
          `To tell ${role} why, direct it with direct. To move the defect, name the other agent.`,
        );
      return [];
    }
    const data = { defect_id, scenario_id, assigned_to: role };
    return [{ kind: 'defect.reassigned', data: reason === undefined ? data : { ...data, reason } }];
  },

  reply: ({ verify }, { defect_id }) => ({ defect: viewDefect(defectOf(verify, defect_id)) }),
});

const PHASES = { deployment: ['VERIFY'], activation: ['RELEASE'], release: ['VERIFY', 'RELEASE'] } as const;

/**
 * Refuses the deployment, the activation or both at once for a fault that a passed scenario did not show. Opens a defect of this
 * scenario, which stops the step until the scenario has passed again on a commit that fixes the fault.
 */
export const refuseStep = defineDecision({
  name: 'refuseStep',
  summary:
    'Refuse the deployment, the activation or the release with a reason: opens a defect that an agent has to fix first.',
  access: { owner: true },
  input: z.strictObject({
    stage: RefusedStage,
    scenario_id: text(60).describe('The passed scenario that has to pass again, now without the fault.'),
    role: BuilderRole.optional().describe('Who has to fix it; by default the agent that the contract names.'),
    reason: Reason,
    ...SEEN,
  }),
  output: DefectResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD'],

  said: ({ input: { stage }, answer: { defect }, nameOf }) =>
    `The ${stage} is refused with your reason: ${defect.defect_id} is open, and ${nameOf(defect.assigned_to)} has to fix it. Scenario ${defect.scenario_id} then has to pass again.`,

  restsOn: (state, { stage }) => stepGrounds(state, stage),

  decide(state, { stage, scenario_id, role, reason }) {
    requireStatus(state, 'refuseStep', 'ACTIVE', 'PAUSED');
    if (stage === RELEASE) requireOneRelease(state);
    requirePhase(state, `refuseStep ${stage}`, ...PHASES[stage]);
    if (state.manifest.activation_authorized)
      fail('INVALID_TRANSITION', 'The activation is authorized already.', {
        hint: 'Request changes, or end the session.',
      });
    const { test, status, record } = scenarioOf(state, scenario_id);
    const pass = status === 'PASSED' ? passOf(record) : undefined;
    if (!pass)
      return fail(
        'INVALID_TRANSITION',
        `Scenario ${scenario_id} is ${status}: only one that has passed can be refused.`,
        {
          hint: 'Read the board: it says who has the next step of the scenario.',
        },
      );
    const data = {
      defect_id: `def_${state.verify.defects.size + 1}`,
      scenario_id,
      attempt: pass.attempt,
      assigned_to: role ?? test.responsible,
      commits: { ...(record.carried ?? pass).commits },
      refusal: { stage, reason },
    };
    return [{ kind: 'defect.opened', data }];
  },

  reply: ({ verify }) => ({ defect: viewDefect(defectOf(verify, `def_${verify.defects.size}`)) }),
});

/** Domain 3. Closes a defect without a fix. The scenario that found the defect must still pass. */
export const waiveDefect = defineDecision({
  name: 'waiveDefect',
  summary: 'Waive a defect with your reason; its scenario can run again and still has to pass.',
  access: { owner: true },
  input: z.strictObject({ defect_id: DefectId, reason: Reason, ...SEEN }),
  output: DefectResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'DEFECT_CLOSED'],

  said: ({ answer: { defect } }) =>
    `${defect.defect_id} is waived with your reason. Scenario ${defect.scenario_id} can run again, and still has to pass.`,

  restsOn: (state, { defect_id }) => defectGrounds(state, defect_id),

  decide(state, { defect_id, reason }) {
    requireOpen(state, 'waiveDefect');
    const { scenario_id } = standingDefect(state.verify, defect_id);
    return [{ kind: 'defect.waived', data: { defect_id, scenario_id, reason } }];
  },

  reply: ({ verify }, { defect_id }) => ({ defect: viewDefect(defectOf(verify, defect_id)) }),
});
