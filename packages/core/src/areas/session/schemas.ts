import { z } from 'zod';
import { AGENTS, BUILDERS } from '../../kernel/roles.ts';
import { ActionView } from '../actions/schemas.ts';
import { BlockerView } from '../contract/blockers.ts';
import { ElectionFields } from '../election/schemas.ts';
import { BuilderRole, MessageCursor } from '../fields.ts';
import { InterventionView } from '../interventions/schemas.ts';
import { QuestionView } from '../questions/schemas.ts';
import { Instruction } from './instruction.ts';
import { PHASES, STATUSES } from './state.ts';

/** A contract revision as the state and task views name it. */
export const RevisionRef = z.strictObject({
  revision_id: z.string(),
  content_hash: z.string(),
  title: z.string(),
  status: z.string(),
});

export const RequirementView = z.strictObject({ requirement_id: z.string(), text: z.string() });
export const AgentView = z.strictObject({
  role: BuilderRole,
  name: z.string(),
  repository: z.string(),
  service: z.string(),
});

/** The three flags that only the owner sets. */
const AuthorizationsView = z.strictObject({
  build_authorized: z.boolean(),
  deployment_authorized: z.boolean(),
  activation_authorized: z.boolean(),
});

/** Spec 2: the state view. */
export const StateView = z.strictObject({
  session_id: z.string(),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  round: z.int(),
  round_limit: z.int(),
  turn_index: z.int().describe('The number of the next turn, counted from 0.'),
  next_agent: z.enum(BUILDERS).nullable(),
  your_role: z.enum([...AGENTS, 'owner']),
  your_turn: z.boolean(),
  ...ElectionFields,
  open_questions: z.array(QuestionView),
  owner_directives: z.array(InterventionView).describe('Directives of the owner that bind you.'),
  open_interventions: z.array(InterventionView),
  pending_actions: z.array(ActionView),
  latest_revision: RevisionRef.nullable(),
  blockers: z.strictObject({ count: z.int(), first: z.array(BlockerView) }),
  holds: z.array(z.record(z.string(), z.unknown())),
  authorizations: AuthorizationsView,
  cursor: MessageCursor.describe('Id of the latest message you can see.'),
  timed_out: z.boolean().optional().describe('True when a wait ended without news.'),
  instruction: Instruction,
});
