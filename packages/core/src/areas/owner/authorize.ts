import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { AuthorizationsView, viewAuthorizations } from '../manifest/schemas.ts';
import { defineOperation } from '../operation.ts';
import { notReady } from '../readiness/rules.ts';
import { requirePhase, requireStatus } from './rules.ts';
import { Standing, viewStanding } from './schemas.ts';

/** Domain 2: READINESS → VERIFY. */
export const authorize = defineOperation({
  name: 'authorize',
  summary: 'Authorize the build, once both agents report READY_TO_CODE on the frozen manifest.',
  access: { owner: true },
  input: z.strictObject({ stage: z.enum(['build']) }),
  output: z.strictObject({ ...Standing.shape, authorizations: AuthorizationsView }),
  errors: ['INVALID_TRANSITION', 'NOT_READY'],

  decide(state) {
    requireStatus(state, 'authorize', 'ACTIVE', 'PAUSED');
    requirePhase(state, 'authorize', 'READINESS');
    const waiting = notReady(state);
    const { current } = state.manifest;
    if (waiting.length > 0 || !current) {
      fail('NOT_READY', `Not READY_TO_CODE yet: ${waiting.join(' and ')}.`, { waiting_for: waiting });
    }
    const { manifest_id, revision_id, content_hash } = current;
    return [
      { kind: 'build.authorized', data: { manifest_id, revision_id, content_hash } },
      { kind: 'phase.changed', data: { from: 'READINESS', to: 'VERIFY' }, actor: 'system' },
    ];
  },

  reply: (state) => ({ ...viewStanding(state), authorizations: viewAuthorizations(state.manifest) }),
});
