import { z } from 'zod';
import { isoTime } from '../../kernel/clock.ts';
import { PERMISSIONS } from '../../kernel/scopes.ts';
import { moderatorPermissions } from '../access/rules.ts';
import { openActionsOf } from '../actions/rules.ts';
import { ActionView, viewAction } from '../actions/schemas.ts';
import { At, NoInput } from '../fields.ts';
import { openFindings } from '../findings/rules.ts';
import { FindingView, viewFinding } from '../findings/schemas.ts';
import { activeHolds } from '../holds/rules.ts';
import { HoldView, viewHold } from '../holds/schemas.ts';
import { openOf } from '../interventions/rules.ts';
import { InterventionView, viewIntervention } from '../interventions/schemas.ts';
import { defineOperation } from '../operation.ts';
import { PHASES, STATUSES } from '../session/state.ts';
import { EventCursor } from './schemas.ts';
import { headOf } from './state.ts';

/** Spec 4.3 and domain 10. */
export const getModeratorStatus = defineOperation({
  name: 'get_moderator_status',
  summary:
    'Show what you may do, how far you have read, and what of yours is open: actions, holds, findings, questions.',
  rest: 'GET moderator/status',
  access: { moderator: true },
  input: NoInput,
  output: z.strictObject({
    status: z.enum(STATUSES),
    phase: z.enum(PHASES),
    permissions: z.array(z.enum(PERMISSIONS)),
    stopped: z.boolean(),
    entitled: z.boolean(),
    acked_cursor: EventCursor,
    head: EventCursor,
    pending_actions: z.array(ActionView),
    active_holds: z.array(HoldView),
    open_findings: z.array(FindingView).describe('Yours, unresolved.'),
    open_questions: z.array(InterventionView).describe('Yours, unanswered by one builder at least.'),
    expires_at: At.describe('When your token ends.'),
  }),
  errors: [],

  reply(state, _input, { caller, now }) {
    const { profile, access, feed, findings } = state;
    const { expiresAt } = caller;
    return {
      status: profile.status,
      phase: profile.phase,
      permissions: [...moderatorPermissions(state)],
      stopped: access.isModeratorStopped,
      entitled: access.isModeratorEntitled,
      acked_cursor: feed.ackedCursor,
      head: headOf(feed),
      pending_actions: openActionsOf(state.actions, 'moderator').map(viewAction),
      active_holds: activeHolds(state.holds).map(viewHold),
      open_findings: openFindings(findings)
        .filter(({ raisedBy }) => raisedBy === 'moderator')
        .map(viewFinding),
      open_questions: openOf(state.interventions, 'moderator').map((open) => viewIntervention(open, 'moderator')),
      expires_at: expiresAt === undefined ? now : isoTime(expiresAt),
    };
  },
});
