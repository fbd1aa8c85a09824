import type { z } from 'zod';
import { BUILDERS, type Builder, type Role } from '../../kernel/roles.ts';
import { openActionsOf } from '../actions/rules.ts';
import { viewAction } from '../actions/schemas.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { viewRevisionRef } from '../contract/schemas.ts';
import { reviewerOf, viewNominations } from '../election/rules.ts';
import { activeHolds } from '../holds/rules.ts';
import { viewHold } from '../holds/schemas.ts';
import { openInterventionsTo, ownerDirectivesTo } from '../interventions/rules.ts';
import { viewIntervention } from '../interventions/schemas.ts';
import { viewAuthorizations } from '../manifest/schemas.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import { viewQuestion } from '../questions/schemas.ts';
import type { SessionState } from '../state.ts';
import { nextAgent, roundOf } from '../turns/rules.ts';
import { instructionFor } from './instruction.ts';
import type { AgentView, StateView } from './schemas.ts';
import type { Profile } from './state.ts';

const SHOWN_BLOCKERS = 10;

/** Spec 2: what a role sees of where the session stands. */
export function viewState(state: SessionState, role: Role, timedOut?: boolean): z.output<typeof StateView> {
  const { profile, election, interventions } = state;
  const next_agent = nextAgent(state);
  const blockers = blockersOf(state);
  return {
    session_id: state.sessionId,
    status: profile.status,
    phase: profile.phase,
    round: roundOf(state, state.turns.count),
    round_limit: profile.roundLimit,
    turn_index: state.turns.count,
    next_agent,
    your_role: role === 'owner' ? 'owner' : role,
    your_turn: next_agent === role,
    nominations: viewNominations(election),
    contract_author: election.author,
    technical_reviewer: reviewerOf(election),
    open_questions: openQuestionsTo(state.questions, role).map(viewQuestion),
    owner_directives: ownerDirectivesTo(interventions, role).map((directive) => viewIntervention(directive, role)),
    open_interventions: openInterventionsTo(interventions, role).map((open) => viewIntervention(open, role)),
    pending_actions: openActionsOf(state.actions, role).map(viewAction),
    latest_revision: viewRevisionRef(state),
    blockers: { count: blockers.length, first: blockers.slice(0, SHOWN_BLOCKERS) },
    holds: activeHolds(state.holds).map(viewHold),
    authorizations: viewAuthorizations(state.manifest),
    cursor: state.transcript.latest[role].seen,
    ...(timedOut === undefined ? {} : { timed_out: timedOut }),
    instruction: instructionFor(state, role),
  };
}

export const viewAgent = ({ agents }: Profile, role: Builder): z.output<typeof AgentView> => ({
  role,
  ...agents[role],
});

export const viewAgents = (profile: Profile): z.output<typeof AgentView>[] =>
  BUILDERS.map((role) => viewAgent(profile, role));
