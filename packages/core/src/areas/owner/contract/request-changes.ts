import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { listed } from '../../../kernel/text/listed.ts';
import { viewAllApprovals } from '../../approvals/schemas.ts';
import { manifestGrounds, revisionGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { defineDecision } from '../../operation.ts';
import type { SessionState } from '../../state.ts';
import { requirePhase, requireStatus } from '../rules.ts';
import { ReasonInput, Standing, viewStanding } from '../schemas.ts';

/**
 * Domain 2. Moves the session back to CONTRACT, and removes the manifest, the readiness reports and all authorizations.
 */
export const requestChanges = defineDecision({
  name: 'requestChanges',
  summary: 'Return the contract to its author, before or after the approval; this cancels every authorization.',
  access: { owner: true },
  input: z.strictObject({ ...ReasonInput.shape, ...SEEN }),
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said: ({ before }) => `The contract is returned to its author with your reason.${cancelledText(before)}`,

  restsOn: (state) => [...revisionGrounds(state), ...manifestGrounds(state)],

  decide(state, { reason }) {
    requireStatus(state, 'requestChanges', 'ACTIVE', 'PAUSED');
    requirePhase(state, 'requestChanges', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE');
    const { latest } = state.contract;
    const { phase } = state.profile;
    if (!latest)
      return fail('INVALID_TRANSITION', 'There is no contract revision yet, so no changes can be requested.', {
        phase,
        hint: 'Send a directive to the agents, or wait for the first revision.',
      });
    const requested = { kind: 'changes.requested' as const, data: { reason, revision_id: latest.revision_id } };
    if (phase === 'CONTRACT') return [requested];
    return [requested, { kind: 'phase.changed', data: { from: phase, to: 'CONTRACT' }, actor: 'system' }];
  },

  reply: viewStanding,
});

/** What a request for changes cancelled: ` Cancelled: the approval of r_2 and the authorization of the build.` */
function cancelledText(before: SessionState): string {
  if (before.profile.phase === 'CONTRACT') return '';
  const stages = viewAllApprovals(before)
    .filter(({ stage, given }) => stage !== 'approval' && given.length > 0)
    .map(({ stage }) => `the authorization of the ${stage}`);
  return ` Cancelled: ${listed([`the approval of ${before.contract.latest?.revision_id ?? ''}`, ...stages])}.`;
}
