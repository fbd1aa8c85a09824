import type { z } from 'zod';
import { boundedLists } from '../../kernel/operation/bounded-lists.ts';
import { BUILDERS, type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { openActionsOf } from '../actions/rules.ts';
import { viewAction } from '../actions/schemas.ts';
import { viewBlockerLine } from '../blockers/blocker.ts';
import { viewRevisionRef } from '../blockers/revision-status.ts';
import { viewElection } from '../election/rules.ts';
import { activeHolds } from '../holds/rules.ts';
import { viewHold } from '../holds/schemas.ts';
import type { Intervention } from '../interventions/record.ts';
import { openInterventionsTo, ownerDirectivesTo } from '../interventions/rules.ts';
import { viewIntervention } from '../interventions/schemas.ts';
import { pageCall } from '../listing.ts';
import { viewAuthorizations } from '../manifest/schemas.ts';
import { openQuestionsFrom, openQuestionsTo } from '../questions/rules.ts';
import { viewQuestion } from '../questions/schemas.ts';
import { scarceQuotas, viewQuota } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import { type StoppingTask, stoppingTasks } from '../tasks/agent-tasks.ts';
import { nextAgent, roundOf } from '../turns/rules.ts';
import { cursorOf } from './cursors.ts';
import { instructionFor } from './instruction.ts';
import type { AgentView, ChangesDirective, FullStateView } from './schemas.ts';
import type { Profile } from './state.ts';

const SHOWN_BLOCKERS = 5;
const SHOWN_ASKED = 20;
/**
 * Maximum size of all lists in a state view, in bytes as `costOf` counts them. Smaller than in other answers, because
 * agents poll the state often.
 */
const STATE_COST = 320_000;
type View = z.output<typeof FullStateView>;
type Directive = View['owner_directives'][number];

export function viewInFull(state: SessionState, role: Role, timedOut?: boolean): View {
  const { lists, leftOut } = openLists(state, role);
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

function openLists(state: SessionState, role: Role) {
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
  return { lists: shown, leftOut: lists.leftOut() };
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
