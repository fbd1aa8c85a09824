import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import type { Caller } from '../../../kernel/operation/operation.ts';
import { approve } from '../../approvals/rules.ts';
import { ApprovalsView, firstApprovalText, isComplete, viewApprovals } from '../../approvals/schemas.ts';
import type { SessionDraft } from '../../catalog.ts';
import { GATE_STAGES } from '../../document/contract.ts';
import { text } from '../../fields.ts';
import { stepGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { refuseHeld } from '../../holds/rules.ts';
import { AuthorizationsView } from '../../manifest/record.ts';
import { viewAuthorizations } from '../../manifest/schemas.ts';
import { defineDecision } from '../../operation.ts';
import { missingForBuild } from '../../readiness/rules.ts';
import type { SessionState } from '../../state.ts';
import { certificationOf } from '../../verify/certification.ts';
import { declaredCommits } from '../../verify/scenarios/readiness.ts';
import { refuseToDrop, requirePhase, requireStatus } from '../rules.ts';
import { Standing, viewStanding } from '../schemas.ts';

/** Domain 2 and 9.6. Authorizes the build, the deployment or the activation, each in its own phase. */
export const authorize = defineDecision({
  name: 'authorize',
  summary: 'Authorize the build, the deployment or the activation, once all conditions for it hold.',
  access: { owner: 'approver' },
  input: z.strictObject({
    stage: z
      .enum(GATE_STAGES)
      .describe('build needs both agents ready; deployment and activation need all certification checks.'),
    note: text(2_000)
      .optional()
      .describe(
        'A note for the agents, who read it in the transcript. If two approvers are needed, the agents get only the note of the second approver.',
      ),
    ...SEEN,
  }),
  output: z.strictObject({ ...Standing.shape, authorizations: AuthorizationsView, approvals: ApprovalsView }),
  errors: ['INVALID_TRANSITION', 'NOT_READY', 'CERTIFICATION_INCOMPLETE', 'HOLD_ACTIVE'],

  said: ({ input: { stage }, answer: { approvals } }) =>
    isComplete(approvals) ? `The ${stage} is authorized.` : firstApprovalText(approvals),

  restsOn: (state, { stage }) => stepGrounds(state, stage),

  decide(state, { stage, note }, caller) {
    requireStatus(state, 'authorize', 'ACTIVE', 'PAUSED');
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

/** The member of an event's data with the owner's note. Absent if the owner wrote no note. */
interface Noted {
  readonly note?: string;
}

type MakesDrafts = (state: SessionState, caller: Caller, noted: Noted) => SessionDraft[];

const DRAFTS: Readonly<Record<(typeof GATE_STAGES)[number], MakesDrafts>> = {
  build: buildDrafts,
  deployment: deploymentDrafts,
  activation: activationDrafts,
};

function buildDrafts(state: SessionState, _caller: Caller, noted: Noted): SessionDraft[] {
  requirePhase(state, 'authorize build', 'READINESS');
  const { reports, checks, disputes } = missingForBuild(state);
  const { current } = state.manifest;
  if (reports.length > 0 || !current)
    return fail('NOT_READY', `${reports.join(' and ')} must first report READY_TO_CODE.`, { waiting_for: reports });
  if (checks.length > 0)
    fail(
      'NOT_READY',
      `${checks.join(' and ')} must first confirm or dispute the readiness answers of the other agent.`,
      {
        waiting_for: checks,
      },
    );
  if (disputes.length > 0)
    fail(
      'NOT_READY',
      `Findings on readiness answers are open: ${disputes.map(({ finding_id }) => finding_id).join(', ')}.`,
      {
        waiting_for: [...new Set(disputes.map(({ raised_by }) => raised_by))],
        hint: 'Wait until each agent in waiting_for has resolved its findings, or override the findings.',
      },
    );
  refuseHeld(state.holds, 'The build');
  const { manifest_id, revision_id, content_hash } = current;
  return [
    { kind: 'build.authorized', data: { manifest_id, revision_id, content_hash, ...noted } },
    { kind: 'phase.changed', data: { from: 'READINESS', to: 'VERIFY' }, actor: 'system' },
  ];
}

function deploymentDrafts(state: SessionState, caller: Caller, noted: Noted): SessionDraft[] {
  requirePhase(state, 'authorize deployment', 'VERIFY');
  const data = { ...certifiedCommits(state), ...noted };
  return approve(state, caller, { stage: 'deployment', ...data }, (counted) => [
    { kind: 'deployment.authorized', data: { ...data, ...counted } },
    { kind: 'phase.changed', data: { from: 'VERIFY', to: 'RELEASE' }, actor: 'system' },
  ]);
}

/**
 * In RELEASE, the declared commits are the deployed commits, because a changed commit would have moved the session back
 * to VERIFY.
 */
function activationDrafts(state: SessionState, caller: Caller, noted: Noted): SessionDraft[] {
  requirePhase(state, 'authorize activation', 'RELEASE');
  const data = { ...certifiedCommits(state), ...noted };
  if (state.manifest.activation_authorized) return [];
  return approve(state, caller, { stage: 'activation', ...data }, (counted) => [
    { kind: 'activation.authorized', data: { ...data, ...counted } },
  ]);
}

function certifiedCommits(state: SessionState) {
  const checks = certificationOf(state);
  const open = checks.filter(({ ok }) => !ok);
  if (open.length > 0) {
    const named = open.map(({ check }) => check).join(', ');
    fail('CERTIFICATION_INCOMPLETE', `Certification checks that are not met: ${named}.`, {
      checks: checks.map((check) => ({ ...check })),
    });
  }
  return { manifest_id: state.manifest.current?.manifest_id ?? '', commits: { ...declaredCommits(state) } };
}
