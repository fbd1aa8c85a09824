import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { BuilderRole, text } from '../fields.ts';
import { followupDrafts, followupOf, viewFollowup } from '../findings/rules.ts';
import { type Followup, FollowupKind, FollowupView } from '../findings/state.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { deviatingPasses } from '../verify/certification.ts';
import { requireOpen } from './rules.ts';

/** The follow-ups of a session, oldest first: those that were noted, and the deviations of the passes that stand. */
export function followupsOf(state: SessionState): Followup[] {
  const passes = new Set(deviatingPasses(state).map(({ scenario_id, attempt }) => `${scenario_id}/${attempt}`));
  return valuesOf(state.followups.all).filter(({ ofVerdict, origin }) => !ofVerdict || passes.has(origin?.id ?? ''));
}

/** Notes a follow-up of the owner. A repeated call answers with the follow-up that stands. */
export const noteFollowup = defineOperation({
  name: 'noteFollowup',
  summary: 'Note work for later: a fault, an accepted deviation or a question that this session does not settle.',
  access: { owner: true },
  input: z.strictObject({
    side: BuilderRole.describe('The agent in whose repository it has to be done.'),
    kind: FollowupKind.describe('What it is.'),
    text: text(2_000).describe('What has to be done or settled; the agents can read it.'),
  }),
  output: z.strictObject({ followup: FollowupView }),
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said: ({ answer: { followup }, nameOf }) => `${followup.followup_id} is noted for ${nameOf(followup.side)}.`,

  decide(state, noted, { role }) {
    requireOpen(state, 'noteFollowup');
    return followupDrafts(state.followups, [noted], { role });
  },

  reply({ followups }, noted, { caller: { role } }) {
    const found = followupOf(followups, role, noted);
    return { followup: viewFollowup(found ?? fail('INTERNAL', 'The state does not contain the follow-up.')) };
  },
});
