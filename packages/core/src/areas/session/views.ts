import type { z } from 'zod';
import { boundedLists } from '../../kernel/operation/bounded-lists.ts';
import { BUILDERS, type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { openActionsOf } from '../actions/rules.ts';
import { viewAction } from '../actions/schemas.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { viewRevisionRef } from '../blockers/revision-status.ts';
import { reviewerOf, viewNominations } from '../election/rules.ts';
import { activeHolds } from '../holds/rules.ts';
import { viewHold } from '../holds/schemas.ts';
import { openInterventionsTo, ownerDirectivesTo } from '../interventions/rules.ts';
import { viewIntervention } from '../interventions/schemas.ts';
import type { Intervention } from '../interventions/state.ts';
import { pageCall } from '../listing.ts';
import { viewAuthorizations } from '../manifest/schemas.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import { viewQuestion } from '../questions/schemas.ts';
import { scarceQuotas } from '../quotas/rules.ts';
import { viewQuota } from '../quotas/schemas.ts';
import type { SessionState } from '../state.ts';
import { nextAgent, roundOf } from '../turns/rules.ts';
import { cursorOf } from './cursors.ts';
import { instructionFor } from './instruction.ts';
import type { AgentView, StateView } from './schemas.ts';
import type { Profile } from './state.ts';

const SHOWN_BLOCKERS = 10;
/** Maximum cost in bytes of all lists of a state view together. Other answers may be larger; a state is polled often. */
const STATE_COST = 320_000;

/** Spec 2: the state of the session as a role sees it. */
export function viewState(state: SessionState, role: Role, timedOut?: boolean): z.output<typeof StateView> {
  const { profile, election } = state;
  const next_agent = nextAgent(state);
  const blockers = blockersOf(state);
  const { lists, leftOut } = openLists(state, role);
  const scarce = role === 'owner' ? [] : scarceQuotas(state, role);
  return {
    session_id: state.sessionId,
    status: profile.status,
    phase: profile.phase,
    round: roundOf(state, state.turns.count),
    round_limit: profile.roundLimit,
    turn_index: state.turns.count,
    next_agent,
    your_role: role === 'owner' ? 'owner' : role,
    your_turn: profile.phase === 'PLANNING' && next_agent === role,
    nominations: viewNominations(election),
    contract_author: election.author,
    technical_reviewer: reviewerOf(election),
    open_questions: lists.questions(),
    owner_directives: lists.directives(),
    open_interventions: lists.interventions(),
    pending_actions: lists.actions(),
    latest_revision: viewRevisionRef(state),
    blockers: { count: blockers.length, first: blockers.slice(0, SHOWN_BLOCKERS) },
    holds: lists.holds(),
    authorizations: viewAuthorizations(state.manifest),
    cursor: cursorOf(state, role),
    ...(scarce.length > 0 ? { quotas: scarce.map(viewQuota) } : {}),
    ...(timedOut === undefined ? {} : { timed_out: timedOut }),
    instruction: instructionFor(state, role),
    ...leftOut,
  };
}

/** Open records of a role; the instruction names the first of each list. */
function openLists(state: SessionState, role: Role) {
  const { questions, interventions, actions, holds } = state;
  const lists = boundedLists(STATE_COST);
  const next = 'Settle the listed ones first; the others then appear here.';
  const viewOne = (intervention: Intervention) => viewIntervention(intervention, role);
  const shown = {
    questions: lists.list({
      records: openQuestionsTo(questions, role),
      view: viewQuestion,
      how: () => (role === 'owner' ? next : `${next} read_messages shows all of them.`),
    }),
    directives: lists.list({
      records: [...changesDirective(state, role), ...ownerDirectivesTo(interventions, role)],
      view: (directive) => ('revision_id' in directive ? directive : viewOne(directive)),
      how: () => 'Call list_interventions with an intervention_id; read_messages shows all of them.',
    }),
    interventions: lists.list({
      records: openInterventionsTo(interventions, role),
      view: viewOne,
      how: () => pageCall('list_interventions', 0),
    }),
    actions: lists.list({
      records: openActionsOf(actions, role),
      view: viewAction,
      how: () => (isBuilder(role) ? pageCall('poll_actions', 0) : next),
    }),
    holds: lists.list({
      records: activeHolds(holds),
      view: viewHold,
      how: () => (role === 'owner' ? pageCall('blockers', 0) : pageCall('list_blockers', 0)),
    }),
  };
  return { lists: shown, leftOut: lists.leftOut() };
}

type Directive = z.output<typeof StateView>['owner_directives'][number];

/** The owner's request for changes of the latest revision. Both builders see the request; the author makes the changes. */
function changesDirective({ contract: { sentBack }, election: { author } }: SessionState, role: Role) {
  if (!sentBack || author === null || !isBuilder(role)) return [];
  return [
    {
      revision_id: sentBack.revisionId,
      text: sentBack.reason,
      targets: [author],
    } satisfies Directive,
  ];
}

export const viewAgent = ({ agents }: Profile, role: Builder): z.output<typeof AgentView> => ({
  role,
  ...agents[role],
});

export const viewAgents = (profile: Profile): z.output<typeof AgentView>[] =>
  BUILDERS.map((role) => viewAgent(profile, role));
