import { z } from 'zod';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documentAs, documented } from '../../kernel/operation/documented.ts';
import { ActionView } from '../actions/schemas.ts';
import { BlockerLine } from '../blockers/blocker.ts';
import { RevisionRef } from '../blockers/revision-status.ts';
import { ElectionFields } from '../election/schemas.ts';
import { BuilderRole, MessageCursor, Party, QuestionId, RevisionId } from '../fields.ts';
import { HoldView } from '../holds/record.ts';
import { InterventionView } from '../interventions/record.ts';
import { AuthorizationsView } from '../manifest/record.ts';
import { QuestionView } from '../questions/schemas.ts';
import { QuotaView } from '../quotas/record.ts';
import { Instruction } from '../task.ts';
import { PHASES } from './events.ts';
import { STATUSES } from './state.ts';

export const RequirementView = z.strictObject({
  requirement_id: z.string(),
  text: z.string(),
  acceptance_criteria: z
    .array(z.string())
    .optional()
    .describe('Conditions by which the owner judges whether the requirement is met.'),
});
documented.add(RequirementView, { id: 'Requirement' });
export const AgentView = z.strictObject({
  role: BuilderRole,
  name: z.string(),
  repository: z.string(),
  service: z.string(),
});
documented.add(AgentView, { id: 'AgentProfile' });

/** The owner's request for changes to a revision. It is in `owner_directives` until a newer revision is submitted. */
export const ChangesDirective = z.strictObject({
  revision_id: RevisionId,
  message_id: MessageCursor,
  text: z.string(),
  targets: z.array(BuilderRole),
});

const BriefIntervention = InterventionView.partial().required({ intervention_id: true });
documentAs(BriefIntervention, z.union([InterventionView, InterventionView.pick({ intervention_id: true })]));

/** Spec 2. The state view, if no member is left out. */
export const FullStateView = z.strictObject({
  session_id: z.string(),
  status: z.enum(STATUSES).register(documented, { id: 'SessionStatus' }),
  phase: z.enum(PHASES).register(documented, { id: 'Phase' }),
  round: z.int(),
  round_limit: z.int(),
  turn_index: z.int().describe('Number of the next turn; the first turn is 0.'),
  next_agent: BuilderRole.nullable(),
  your_role: Party,
  your_turn: z.boolean(),
  ...ElectionFields,
  open_questions: z.array(QuestionView),
  asked_questions: z.array(QuestionId).optional().describe('Your questions that nobody has answered.'),
  owner_directives: z.array(z.union([BriefIntervention, ChangesDirective])),
  open_interventions: z.array(InterventionView),
  pending_actions: z.array(ActionView),
  latest_revision: RevisionRef.nullable(),
  blockers: z.strictObject({ count: z.int(), first: z.array(BlockerLine).describe('Yours first.') }),
  holds: z.array(HoldView),
  authorizations: AuthorizationsView,
  cursor: MessageCursor.describe('Send it as after in your next wait.'),
  quotas: z.array(QuotaView).optional().describe('Your quotas of which a fifth or less is left.'),
  timed_out: z.boolean().optional().describe('True if the wait ended without news; lists then have only ids.'),
  instruction: Instruction,
  ...LEFT_OUT,
});
documented.add(FullStateView, { id: 'FullStateView' });

// In an answer to a wait without news, the records in lists and the revision have only some of their members.
const BriefQuestion = QuestionView.partial().required({ question_id: true });
documentAs(BriefQuestion, z.union([QuestionView, QuestionView.pick({ question_id: true })]));
const BriefChanges = ChangesDirective.partial().required({ revision_id: true });
const BriefAction = ActionView.partial().required({ action_id: true });
documentAs(BriefAction, z.union([ActionView, ActionView.pick({ action_id: true })]));
const BriefHold = HoldView.partial().required({ hold_id: true });
documentAs(BriefHold, z.union([HoldView, HoldView.pick({ hold_id: true })]));

/**
 * The state view of an agent. If a wait ended without news, the view has fewer members, and its lists have only ids.
 */
export const StateView = FullStateView.partial({
  nominations: true,
  contract_author: true,
  technical_reviewer: true,
  authorizations: true,
}).extend({
  open_questions: z.array(BriefQuestion),
  owner_directives: z.array(z.union([BriefIntervention, BriefChanges])),
  open_interventions: z.array(BriefIntervention),
  pending_actions: z.array(BriefAction),
  holds: z.array(BriefHold),
  latest_revision: RevisionRef.partial({ content_hash: true }).nullable(),
});
documented.add(StateView, { id: 'StateView' });
