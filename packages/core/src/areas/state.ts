import type { LoggedEvent } from '../kernel/log/event.ts';
import { GENESIS } from '../kernel/log/event.ts';
import { emptyTranscript, evolveTranscript, type Transcript } from '../kernel/log/transcript.ts';
import type { SessionRoot } from '../kernel/operation/domain.ts';
import { type AccessState, emptyAccess, evolveAccess } from './access/state.ts';
import { type Actions, emptyActions, evolveActions } from './actions/state.ts';
import { type Approvals, evolveApprovals, noApprovals } from './approvals/state.ts';
import { type SessionEvent, sessionCatalog } from './catalog.ts';
import { type ContractState, emptyContract, evolveContract } from './contract/state.ts';
import { type Decisions, emptyDecisions, evolveDecisions } from './decisions/state.ts';
import { type Election, emptyElection, evolveElection } from './election/state.ts';
import { emptyFeed, evolveFeed, type Feed } from './feed/state.ts';
import { emptyFindings, evolveFindings, type Findings } from './findings/state.ts';
import { evolveGrounds, type Grounds, noGrounds } from './grounds/state.ts';
import { emptyHolds, evolveHolds, type Holds } from './holds/state.ts';
import { emptyInterventions, evolveInterventions, type Interventions } from './interventions/state.ts';
import { emptyManifest, evolveManifest, type ManifestState } from './manifest/state.ts';
import { emptyNotices, evolveNotices, type Notices } from './notices/state.ts';
import { evolvePreflight, type Preflight } from './preflight/state.ts';
import { emptyQuestions, evolveQuestions, type Questions } from './questions/state.ts';
import { emptyQuotas, evolveQuotas, type Quotas } from './quotas/state.ts';
import { emptyReadiness, evolveReadiness, type ReadinessState } from './readiness/state.ts';
import { emptyReading, evolveReading, type Reading } from './reading/state.ts';
import { emptyRecommendations, evolveRecommendations, type Recommendations } from './recommendations/state.ts';
import { emptyModeratorReviews, evolveModeratorReviews, type ModeratorReviews } from './reviews/moderator-state.ts';
import { emptyReviews, evolveReviews, type Reviews } from './reviews/state.ts';
import { emptyProfile, evolveProfile, type Profile } from './session/state.ts';
import { evolveTimes, noTimes, type Times } from './session/times.ts';
import { emptyTurns, evolveTurns, type Turns } from './turns/state.ts';
import { evolveVerify } from './verify/evolve.ts';
import { emptyVerify, type VerifyState } from './verify/state.ts';

/** The state of one session, folded from its log. Immutable: each event gives a new state. */
export interface SessionState extends SessionRoot {
  readonly profile: Profile;
  readonly access: AccessState;
  readonly turns: Turns;
  readonly questions: Questions;
  readonly decisions: Decisions;
  readonly interventions: Interventions;
  readonly actions: Actions;
  readonly election: Election;
  readonly contract: ContractState;
  readonly findings: Findings;
  readonly holds: Holds;
  readonly reviews: Reviews;
  readonly moderatorReviews: ModeratorReviews;
  readonly recommendations: Recommendations;
  readonly preflight: Preflight | null;
  readonly approvals: Approvals;
  readonly manifest: ManifestState;
  readonly readiness: ReadinessState;
  readonly reading: Reading;
  readonly verify: VerifyState;
  readonly transcript: Transcript;
  readonly feed: Feed;
  readonly notices: Notices;
  readonly quotas: Quotas;
  readonly times: Times;
  readonly grounds: Grounds;
}

export const emptySession = (sessionId: string): SessionState => ({
  sessionId,
  ownerId: '',
  head: GENESIS,
  at: '',
  profile: emptyProfile,
  access: emptyAccess,
  turns: emptyTurns,
  questions: emptyQuestions,
  decisions: emptyDecisions,
  interventions: emptyInterventions,
  actions: emptyActions,
  election: emptyElection,
  contract: emptyContract,
  findings: emptyFindings,
  holds: emptyHolds,
  reviews: emptyReviews,
  moderatorReviews: emptyModeratorReviews,
  recommendations: emptyRecommendations,
  preflight: null,
  approvals: noApprovals,
  manifest: emptyManifest,
  readiness: emptyReadiness,
  reading: emptyReading,
  verify: emptyVerify,
  transcript: emptyTranscript,
  feed: emptyFeed,
  notices: emptyNotices,
  quotas: emptyQuotas,
  times: noTimes,
  grounds: noGrounds,
});

/** Folds one event. The caller must have checked that the catalog contains the kind of the event. */
export function evolveSession(state: SessionState, logged: LoggedEvent): SessionState {
  const event = logged as SessionEvent;
  return {
    sessionId: state.sessionId,
    ownerId: event.kind === 'session.created' ? event.data.owner_id : state.ownerId,
    head: { seq: event.seq, hash: event.hash },
    at: event.at,
    profile: evolveProfile(state.profile, event),
    access: evolveAccess(state.access, event),
    turns: evolveTurns(state.turns, event),
    questions: evolveQuestions(state.questions, event),
    decisions: evolveDecisions(state.decisions, event),
    interventions: evolveInterventions(state.interventions, event),
    actions: evolveActions(state.actions, event, state.transcript),
    election: evolveElection(state.election, event),
    contract: evolveContract(state.contract, event),
    findings: evolveFindings(state.findings, event),
    holds: evolveHolds(state.holds, event),
    reviews: evolveReviews(state.reviews, event),
    moderatorReviews: evolveModeratorReviews(state.moderatorReviews, event),
    recommendations: evolveRecommendations(state.recommendations, event),
    preflight: evolvePreflight(state.preflight, event),
    approvals: evolveApprovals(state.approvals, event),
    manifest: evolveManifest(state.manifest, event),
    readiness: evolveReadiness(state.readiness, event),
    reading: evolveReading(state.reading, event),
    verify: evolveVerify(state.verify, event),
    transcript: evolveTranscript(state.transcript, logged, sessionCatalog),
    feed: evolveFeed(state.feed, event, sessionCatalog),
    notices: evolveNotices(state.notices, event),
    quotas: evolveQuotas(state.quotas, event),
    times: evolveTimes(state, event),
    grounds: evolveGrounds(state.grounds, event),
  };
}
