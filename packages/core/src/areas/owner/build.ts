import { fail } from '../../kernel/errors.ts';
import type { SessionDraft } from '../catalog.ts';
import { refuseHeld } from '../holds/rules.ts';
import type { Manifest } from '../manifest/events.ts';
import { profileOf, termsOf } from '../profiles.ts';
import { missingForBuild } from '../readiness/rules.ts';
import type { SessionState } from '../state.ts';

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
export function requireBuildWithApproval(state: SessionState): void {
  if (!termsOf(state).buildsWithApproval)
    fail('INVALID_TRANSITION', `The profile ${profileOf(state)} authorizes the build after the approval.`, {
      hint: 'Approve without authorize_build, read the readiness answers of both agents, then authorize the build.',
    });
  requireBuildable(state);
}
