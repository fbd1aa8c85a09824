import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { counted } from '../../kernel/text/readable.ts';
import { ApprovalsView, approve, firstApprovalText, isComplete, viewApprovals } from '../approvals/rules.ts';
import { BlockerView, viewBlocker } from '../blockers/rules.ts';
import type { SessionDraft } from '../catalog.ts';
import { latestDocument, requireLatest } from '../contract/rules.ts';
import { RevisionId, text } from '../fields.ts';
import { CaveatView, listOpenCaveats, refuseHeld } from '../findings/rules.ts';
import { SEEN, stepGrounds } from '../grounds/rules.ts';
import { LIST_COST } from '../listing.ts';
import { Manifest } from '../manifest/events.ts';
import { missingForBuild } from '../manifest/readiness.ts';
import { freeze, precomputeFreeze } from '../manifest/rules.ts';
import { defineDecision } from '../operation.ts';
import { profileOf, termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import { isCertified, stoppingTasks } from '../tasks/agent-tasks.ts';
import { requirePhase, requireStatus, Standing, viewStanding } from './rules.ts';

/** The events of an authorized build of a manifest. */
export const authorizedBuild = (
  { manifest_id, revision_id, content_hash }: Manifest,
  noted: { readonly note?: string } = {},
): SessionDraft[] => [
  { kind: 'build.authorized', data: { manifest_id, revision_id, content_hash, ...noted } },
  { kind: 'phase.changed', data: { from: 'READINESS', to: 'VERIFY' }, actor: 'system' },
];

/** Refuses the authorization of the build while something stops it. */
export function requireBuildable(state: SessionState): void {
  const { reports, checks, disputes } = missingForBuild(state);
  if (reports.length > 0)
    fail('NOT_READY', `${reports.join(' and ')} must first report READY_TO_CODE.`, { waiting_for: reports });
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
}

/** Refuses the authorization of the build with the approval of the contract. */
function requireBuildWithApproval(state: SessionState): void {
  if (!termsOf(state).buildsWithApproval)
    fail('INVALID_TRANSITION', `The profile ${profileOf(state)} authorizes the build after the approval.`, {
      hint: 'Approve without authorize_build, read the readiness answers of both agents, then authorize the build.',
    });
  requireBuildable(state);
}

/**
 * Domain 2 and 8. Approves the revision with the given hash. The last approval that the session requires freezes the
 * manifest.
 */
export const approveContract = defineDecision({
  name: 'approveContract',
  summary: 'Approve exactly one certified revision by its hash; this freezes the manifest.',
  access: { owner: 'approver' },
  input: z.strictObject({
    revision_id: RevisionId,
    content_hash: text(100).describe('The hash of the revision that you read.'),
    authorize_build: z
      .boolean()
      .optional()
      .describe('Authorize the build too, with the approval that completes; for the profile light.'),
    ...SEEN,
  }),
  output: z.strictObject({
    ...Standing.shape,
    manifest: Manifest.nullable(),
    approvals: ApprovalsView.describe('While there are fewer approvals than required, the contract is not approved.'),
    open_caveats: z.array(CaveatView),
    ...LEFT_OUT,
  }),
  errors: [
    'INVALID_TRANSITION',
    'UNKNOWN_RECORD',
    'STALE_REVISION',
    'HASH_MISMATCH',
    'NOT_CERTIFIED',
    'NOT_READY',
    'HOLD_ACTIVE',
  ],

  said({ input: { authorize_build }, answer: { manifest, approvals, open_caveats }, before }) {
    if (!manifest || !isComplete(approvals)) return firstApprovalText(approvals);
    const { revision_id, manifest_id, artifacts } = manifest;
    const caveats = open_caveats.map(({ finding_id, text }) => `\n  ${finding_id}: ${text ?? ''}`);
    const open = caveats.length > 0 ? `\nCaveats that stay open:${caveats.join('')}` : '';
    const frozen = `${revision_id} is approved. Its manifest ${manifest_id} is frozen, with ${artifacts.length} artifacts`;
    return authorize_build
      ? `${frozen}. The build is authorized.${open}`
      : `${frozen} ${termsOf(before).asksReadiness ? 'that the agents now read and confirm' : 'for the agents'}.${open}`;
  },

  documents: latestDocument,

  precompute(state, _input, _caller, document) {
    const { latest } = state.contract;
    return latest && isCertified(state) ? precomputeFreeze(state, document(latest.content_hash)) : [];
  },

  restsOn: (state) => stepGrounds(state, 'approval'),

  decide(state, { revision_id, content_hash, authorize_build = false }, caller, { document, now }) {
    requireStatus(state, 'approveContract', 'ACTIVE', 'PAUSED');
    requirePhase(state, 'approveContract', 'CONTRACT');
    requireLatest(state, revision_id, content_hash);
    const blockers = stoppingTasks(state);
    if (blockers.length > 0) {
      const shown = blockers.slice(0, SHOWN_BLOCKERS).map((task) => BlockerView.parse(viewBlocker(task)));
      const blocking = counted(blockers.length, 'blocker prevents', 'blockers prevent');
      fail('NOT_CERTIFIED', `${revision_id} is not certified: ${blocking} certification.`, { blockers: shown });
    }
    if (authorize_build) requireBuildWithApproval(state);
    return approve(state, caller, { stage: 'approval', revision_id, content_hash }, (counted) => {
      const { manifest, contents, questions } = freeze(state, document(content_hash), now);
      const data = { revision_id, content_hash, manifest, questions, ...counted };
      return [
        { kind: 'contract.approved', data, documents: contents },
        { kind: 'phase.changed', data: { from: 'CONTRACT', to: 'READINESS' }, actor: 'system' },
        ...(authorize_build ? authorizedBuild(manifest) : []),
      ];
    });
  },

  reply(state) {
    const lists = boundedLists(LIST_COST);
    const caveats = listOpenCaveats(lists, state);
    const { current: manifest } = state.manifest;
    const approvals = viewApprovals(state, 'approval');
    return { ...viewStanding(state), manifest, approvals, open_caveats: caveats(), ...lists.leftOut() };
  },
});

const SHOWN_BLOCKERS = 20;
