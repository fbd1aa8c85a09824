import { z } from 'zod';
import { isoTime } from '../../kernel/clock.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { PERMISSIONS } from '../../kernel/scopes.ts';
import { moderatorPermissions } from '../access/rules.ts';
import { openActionsOf } from '../actions/rules.ts';
import { ActionView, viewAction } from '../actions/schemas.ts';
import { At, NoInput } from '../fields.ts';
import { FindingView } from '../findings/record.ts';
import { openFindings } from '../findings/rules.ts';
import { viewFinding } from '../findings/schemas.ts';
import { HoldView } from '../holds/record.ts';
import { activeHolds } from '../holds/rules.ts';
import { viewHold } from '../holds/schemas.ts';
import { InterventionView } from '../interventions/record.ts';
import { openOf } from '../interventions/rules.ts';
import { viewIntervention } from '../interventions/schemas.ts';
import { pageCall } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { PHASES } from '../session/events.ts';
import { STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';
import { EventCursor } from './schemas.ts';
import { headOf } from './state.ts';

export const getModeratorStatus = defineOperation({
  name: 'get_moderator_status',
  summary: 'Show what you may do, and your open actions, holds, findings and questions.',
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
    open_findings: z.array(FindingView).describe('Your findings that are not resolved.'),
    open_questions: z.array(InterventionView).describe('Your questions that at least one builder has not answered.'),
    expires_at: At.describe('When your token expires.'),
    ...LEFT_OUT,
  }),
  errors: [],

  reply(state, _input, { caller, now }) {
    const { profile, access, feed } = state;
    const { lists, leftOut } = openLists(state);
    return {
      status: profile.status,
      phase: profile.phase,
      permissions: [...moderatorPermissions(state)],
      stopped: access.isModeratorStopped,
      entitled: access.isModeratorEntitled,
      acked_cursor: feed.ackedCursor,
      head: headOf(feed),
      pending_actions: lists.actions(),
      active_holds: lists.holds(),
      open_findings: lists.findings(),
      open_questions: lists.questions(),
      expires_at: caller.role === 'owner' ? now : isoTime(caller.expiresAt),
      ...leftOut,
    };
  },
});

/** Maximum size of all lists together, in bytes as `costOf` counts them. */
const STATUS_COST = 600_000;

function openLists(state: SessionState) {
  const { actions, holds, findings, interventions } = state;
  const lists = boundedLists(STATUS_COST);
  const shown = {
    actions: lists.list({
      records: openActionsOf(actions, 'moderator'),
      view: viewAction,
      how: () => 'Complete the listed actions first; the other actions then appear here.',
    }),
    holds: lists.list({
      records: activeHolds(holds),
      view: viewHold,
      how: () => pageCall('list_blockers', 0),
    }),
    findings: lists.list({
      records: openFindings(findings).filter(({ raised_by }) => raised_by === 'moderator'),
      view: (finding) => viewFinding(state, finding),
      how: () => pageCall('get_moderator_findings', 0),
    }),
    questions: lists.list({
      records: openOf(interventions, 'moderator'),
      view: (open) => viewIntervention(open, 'moderator'),
      how: () => pageCall('get_moderator_questions', 0),
    }),
  };
  return { lists: shown, leftOut: lists.leftOut() };
}
