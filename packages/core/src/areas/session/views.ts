import { z } from 'zod';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documentAs, documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { openActionsOf } from '../actions/rules.ts';
import { ActionIdInput, ActionView, viewAction } from '../actions/state.ts';
import { BlockerLine, RevisionRef, viewBlockerLine, viewRevisionRef } from '../blockers/rules.ts';
import { BuilderRole, MessageCursor, Party, QuestionId, RevisionId, visibleLine, withoutUserinfo } from '../fields.ts';
import { activeHolds, viewHold } from '../findings/rules.ts';
import { HoldView } from '../findings/state.ts';
import {
  InterventionIdInput,
  openInterventionsTo,
  ownerDirectivesTo,
  viewIntervention,
} from '../interventions/rules.ts';
import { type Intervention, InterventionView } from '../interventions/state.ts';
import { pageCall } from '../listing.ts';
import { viewAuthorizations } from '../manifest/rules.ts';
import { AuthorizationsView } from '../manifest/state.ts';
import { nextAgent, openQuestionsFrom, openQuestionsTo, roundOf, viewElection } from '../planning/rules.ts';
import { ElectionFields, QuestionView, viewQuestion } from '../planning/state.ts';
import { QuotaView, scarceQuotas, viewQuota } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import { DueView, Instruction, type Task } from '../task.ts';
import { type StoppingTask, stoppingTasks } from '../tasks/agent-tasks.ts';
import { PHASES, SOURCE_KINDS } from './events.ts';
import { dueSource, instructionFor } from './rules.ts';
import { type Profile, STATUSES } from './state.ts';
import { cursorOf } from './work.ts';

export const RequirementView = namedObject('Requirement', {
  requirement_id: z.string(),
  text: z.string(),
  acceptance_criteria: z
    .array(z.string())
    .optional()
    .describe('Conditions by which the owner judges whether the requirement is met.'),
});

/** Matches a text that is no URL, or one of http or https. One letter before a colon is a drive. */
const NO_OTHER_SCHEME = /^(?!\s*(?!https?:)[a-z][a-z0-9+.-]+:)/i;

/** The specification of which the owner made a session: a note, as nothing is read from there. Of a folder, `sha256` is that of the list of its files. */
export const SourceView = namedObject('Source', {
  kind: z.enum(SOURCE_KINDS),
  location: withoutUserinfo(visibleLine(2_000)).refine(
    (place) => NO_OTHER_SCHEME.test(place),
    'Must be a path, or an address of http or https. Write "./" before a path with a colon.',
  ),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'Must be 64 lowercase hex digits.'),
});
export const AgentView = namedObject('AgentProfile', {
  role: BuilderRole,
  name: z.string(),
  repository: z.string(),
  service: z.string(),
});

/** The owner's request for changes to a revision. It is in `owner_directives` until a newer revision is submitted. */
export const ChangesDirective = z.strictObject({
  revision_id: RevisionId,
  message_id: MessageCursor,
  text: z.string(),
  targets: z.array(BuilderRole),
});

const BriefIntervention = InterventionView.partial().required({ intervention_id: true });
documentAs(BriefIntervention, z.union([InterventionView, InterventionIdInput]));

/** Spec 2. The state view, if no member is left out. */
export const FullStateView = namedObject('FullStateView', {
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
  open_questions: z.array(QuestionView).describe('Questions to you.'),
  asked_questions: z.array(QuestionId).optional().describe('Your questions that nobody has answered.'),
  owner_directives: z.array(z.union([BriefIntervention, ChangesDirective])),
  open_interventions: z.array(InterventionView),
  pending_actions: z.array(ActionView),
  latest_revision: RevisionRef.nullable(),
  blockers: z.strictObject({
    count: z.int(),
    first: z.array(BlockerLine).optional().describe('Yours first; not in the answer to a wait.'),
  }),
  holds: z.array(HoldView),
  authorizations: AuthorizationsView,
  cursor: MessageCursor.describe('Send it as after in your next wait.'),
  quotas: z.array(QuotaView).optional().describe('Your quotas of which a fifth or less is left.'),
  timed_out: z.boolean().optional().describe('True if the wait ended without news; lists then have only ids.'),
  instruction: Instruction,
  ...LEFT_OUT,
});

// In an answer to a wait without news, the records in lists and the revision have only some of their members.
const BriefQuestion = QuestionView.partial().required({ question_id: true });
documentAs(BriefQuestion, z.union([QuestionView, QuestionView.pick({ question_id: true })]));
const BriefChanges = ChangesDirective.partial().required({ revision_id: true });
const BriefAction = ActionView.partial().required({ action_id: true });
// A wait leaves out the text of an action that its instruction says.
documentAs(BriefAction, z.union([ActionView, ActionView.omit({ text: true }), ActionIdInput]));
const BriefHold = HoldView.partial().required({ hold_id: true });
documentAs(BriefHold, z.union([HoldView, HoldView.pick({ hold_id: true })]));

/**
 * The state view of an agent. If a wait ended without news, the view has fewer members, and its lists have only ids. If the
 * caller sent a cursor, also of other waits: the view has what is new since.
 */
export const StateView = FullStateView.partial({
  session_id: true,
  round_limit: true,
  your_role: true,
  your_turn: true,
  nominations: true,
  contract_author: true,
  technical_reviewer: true,
  authorizations: true,
}).extend({
  open_questions: z.array(BriefQuestion).describe('Questions to you.'),
  owner_directives: z.array(z.union([BriefIntervention, BriefChanges])),
  open_interventions: z.array(BriefIntervention).optional(),
  pending_actions: z.array(BriefAction).optional(),
  holds: z.array(BriefHold).optional(),
  latest_revision: RevisionRef.partial({ content_hash: true }).nullable(),
  due: z
    .array(DueView)
    .optional()
    .describe(
      'All calls due from you, each with what no other member says. Absent if there is none, and as before in a wait without news.',
    ),
  unread: z.string().optional().describe('The call that reads what others wrote after your cursor.'),
  whole: z.string().optional().describe('The call that shows whole what is named here by its id.'),
});
documented.add(StateView, { id: 'StateView' });

const SHOWN_BLOCKERS = 5;
const SHOWN_ASKED = 20;
/**
 * Maximum size of all lists in a state view, in bytes as `costOf` counts them. Smaller than in other answers, because
 * agents poll the state often.
 */
const STATE_COST = 320_000;
/** Maximum size of the list of calls that are due, likewise. */
const DUE_COST = 80_000;
interface View extends z.output<typeof FullStateView> {
  due?: z.output<typeof DueView>[];
}
type Directive = View['owner_directives'][number];

export interface Viewing {
  /** Whether the wait ended without news. Absent for a read that did not wait. */
  readonly timedOut?: boolean | undefined;
  /** The tasks that are due, with the texts of stored events in their payloads. */
  readonly due?: readonly Task[];
}

export function viewInFull(state: SessionState, role: Role, { timedOut, due = [] }: Viewing = {}): View {
  const { lists, leftOut } = openLists(state, role, due);
  const calls = lists.due();
  const scarce = role === 'owner' ? [] : scarceQuotas(state, role);
  return {
    ...viewPosition(state, role),
    ...viewElection(state.election),
    open_questions: lists.questions(),
    ...viewAsked(state, role),
    owner_directives: lists.directives(),
    open_interventions: lists.interventions(),
    pending_actions: lists.actions(),
    latest_revision: viewRevisionRef(state),
    blockers: viewBlockers(stoppingTasks(state), role),
    holds: lists.holds(),
    authorizations: viewAuthorizations(state.manifest),
    cursor: cursorOf(state, role),
    ...(scarce.length > 0 ? { quotas: scarce.map(viewQuota) } : {}),
    ...(timedOut === undefined ? {} : { timed_out: timedOut }),
    instruction: instructionFor(state, role),
    ...(calls.length > 0 ? { due: calls } : {}),
    ...leftOut,
  };
}

function viewAsked({ questions }: SessionState, role: Role): { asked_questions?: string[] } {
  const ids = openQuestionsFrom(questions, role).map(({ question_id }) => question_id);
  return ids.length > 0 ? { asked_questions: ids.slice(0, SHOWN_ASKED) } : {};
}

export function viewPosition(state: SessionState, role: Role) {
  const { profile, turns } = state;
  const next_agent = profile.phase === 'PLANNING' ? nextAgent(state) : null;
  return {
    session_id: state.sessionId,
    status: profile.status,
    phase: profile.phase,
    round: roundOf(state, turns.count),
    round_limit: profile.round_limit,
    turn_index: turns.count,
    next_agent,
    your_role: role,
    your_turn: next_agent === role,
  };
}

/** The first blockers. Blockers that the reader can remove now come before all others. */
function viewBlockers(blockers: readonly StoppingTask[], reader: Role): View['blockers'] {
  const isNext = ({ due_to, stops }: StoppingTask): number => Number(due_to === reader && !stops.waits_for);
  const first = blockers
    .toSorted((one, other) => isNext(other) - isNext(one))
    .slice(0, SHOWN_BLOCKERS)
    .map(viewBlockerLine);
  return { count: blockers.length, first };
}

/** The open records of a role, the owner's directives that it has answered, and all active holds. Each is listed once. */
export const openRecords = (state: SessionState, role: Role) => ({
  questions: openQuestionsTo(state.questions, role),
  directives: [...changesDirectives(state, role), ...ownerDirectivesTo(state.interventions, role)],
  interventions: openInterventionsTo(state.interventions, role).filter(({ type }) => type !== 'DIRECTIVE'),
  actions: openActionsOf(state.actions, role),
  holds: activeHolds(state.holds),
});

export type OpenRecord = ReturnType<typeof openRecords>[keyof ReturnType<typeof openRecords>][number];

export function idOf(record: OpenRecord): string {
  if ('question_id' in record) return record.question_id;
  if ('intervention_id' in record) return record.intervention_id;
  if ('action_id' in record) return record.action_id;
  return 'hold_id' in record ? record.hold_id : record.revision_id;
}

/** A directive in full. If the reader has answered it, only its id. */
function viewDirective(directive: Intervention, reader: Role): Directive {
  const view = viewIntervention(directive, reader);
  return view.status === 'ANSWERED' ? { intervention_id: view.intervention_id } : view;
}

function openLists(state: SessionState, role: Role, due: readonly Task[]) {
  const { questions, directives, interventions, actions, holds } = openRecords(state, role);
  const lists = boundedLists(STATE_COST);
  const next = 'First do what the listed records ask; then the other records appear here.';
  const viewOne = (intervention: Intervention) => viewIntervention(intervention, role);
  const shown = {
    questions: lists.list({
      records: questions,
      view: viewQuestion,
      how: () => (role === 'owner' ? next : `${next} read_messages shows all questions.`),
    }),
    directives: lists.list({
      records: directives,
      view: (directive) => ('revision_id' in directive ? directive : viewDirective(directive, role)),
      how: () => 'list_interventions with an intervention_id shows one directive; read_messages shows all directives.',
    }),
    interventions: lists.list({
      records: interventions,
      view: viewOne,
      how: () => pageCall('list_interventions', 0),
    }),
    actions: lists.list({
      records: actions,
      view: viewAction,
      how: () => (isBuilder(role) ? pageCall('poll_actions', 0) : next),
    }),
    holds: lists.list({
      records: holds,
      view: viewHold,
      how: () => (role === 'owner' ? pageCall('blockers', 0) : pageCall('list_blockers', 0)),
    }),
  };
  const calls = boundedLists(DUE_COST);
  const shownCalls = calls.list(dueSource(state, role, due));
  const { left_out } = calls.leftOut();
  if (left_out) lists.leave(left_out);
  return { lists: { ...shown, due: shownCalls }, leftOut: lists.leftOut() };
}

/**
 * The owner's requests for changes to the latest revision. Both builders see them, but only the author has to make the
 * changes.
 */
function changesDirectives(
  { contract, election: { contract_author: author } }: SessionState,
  role: Role,
): z.output<typeof ChangesDirective>[] {
  if (author === null || !isBuilder(role)) return [];
  return contract.requests.map(({ revision_id, reason, message_id }) => ({
    revision_id,
    message_id,
    text: reason,
    targets: [author],
  }));
}

export const viewAgent = ({ agents }: Profile, role: Builder): z.output<typeof AgentView> => ({
  role,
  ...agents[role],
});

export const viewAgents = (profile: Profile): z.output<typeof AgentView>[] =>
  BUILDERS.map((role) => viewAgent(profile, role));
