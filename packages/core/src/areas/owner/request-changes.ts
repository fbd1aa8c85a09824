import { fail } from '../../kernel/errors.ts';
import { defineOperation } from '../operation.ts';
import { requirePhase, requireStatus } from './rules.ts';
import { ReasonInput, Standing, viewStanding } from './schemas.ts';

/** Domain 2: back to CONTRACT. The manifest, its readiness and all authorizations fall. */
export const requestChanges = defineOperation({
  name: 'requestChanges',
  summary: 'Send the contract back to its author, before or after the approval; every authorization falls.',
  access: { owner: true },
  input: ReasonInput,
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  decide(state, { reason }) {
    requireStatus(state, 'requestChanges', 'ACTIVE', 'PAUSED');
    requirePhase(state, 'requestChanges', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE');
    const { latest } = state.contract;
    const { phase } = state.profile;
    if (!latest) return fail('INVALID_TRANSITION', 'There is no revision yet that could change.', { phase });
    const requested = { kind: 'changes.requested' as const, data: { reason, revision_id: latest.revisionId } };
    if (phase === 'CONTRACT') return [requested];
    return [requested, { kind: 'phase.changed', data: { from: phase, to: 'CONTRACT' }, actor: 'system' }];
  },

  reply: viewStanding,
});
