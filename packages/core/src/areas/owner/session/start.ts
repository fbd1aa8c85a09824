import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import type { SessionDraft } from '../../catalog.ts';
import { BuilderRole } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { requirePhase, requireStatus } from '../rules.ts';
import { Standing, viewStanding } from '../schemas.ts';

/**
 * Domain 2. Changes the status from DRAFT to ACTIVE. With `first_turn` it also works in an ACTIVE session, until a turn is
 * posted: it then only changes who begins.
 */
export const start = defineOperation({
  name: 'start',
  summary: 'Start a session, so that the agents can take turns.',
  access: { owner: true },
  input: z.strictObject({
    first_turn: BuilderRole.optional().describe('Who begins; can change until a turn is posted.'),
  }),
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said({ input: { first_turn }, before: { profile }, nameOf }) {
    if (first_turn === undefined) return 'The session is started.';
    const name = nameOf(first_turn);
    if (profile.status !== 'ACTIVE') return `The session is started, and ${name} begins.`;
    return profile.first_turn === first_turn
      ? `Nothing changes: the session was started before, and ${name} begins already.`
      : `${name} begins now. The session was started before.`;
  },

  decide(state, { first_turn }): SessionDraft[] {
    const { profile, turns } = state;
    const chosen: SessionDraft[] =
      first_turn === undefined || first_turn === profile.first_turn
        ? []
        : [{ kind: 'first_turn.chosen', data: { first_turn } }];
    if (first_turn === undefined || profile.status !== 'ACTIVE') {
      requireStatus(state, 'start', 'DRAFT');
      return [...chosen, { kind: 'session.started', data: {} }];
    }
    requirePhase(state, 'start with first_turn', 'PLANNING');
    if (turns.count > 0)
      fail('INVALID_TRANSITION', 'A turn was posted, so nobody can begin any more.', {
        hint: 'The builders alternate now. Ask or direct an agent instead: it answers without a turn.',
      });
    return chosen;
  },

  reply: viewStanding,
});
