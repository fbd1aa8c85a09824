import { z } from 'zod';
import { type PersistentMap, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { type BoundedLists, boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import { ModeratorView, viewModerator } from '../access/rules.ts';
import { BuildProgressView, buildProgress } from '../actions/rules.ts';
import { ActionView } from '../actions/state.ts';
import { AgendaOpen, AgendaView, viewAgenda } from '../agenda/rules.ts';
import { ApprovalsView, viewAllApprovals } from '../approvals/rules.ts';
import { viewRevision } from '../contract/rules.ts';
import { RevisionView } from '../contract/state.ts';
import { OwnerDecisionView, viewOwnerDecision } from '../decisions/rules.ts';
import { isActive } from '../decisions/state.ts';
import { At, BuilderRole, LogHead, NoInput } from '../fields.ts';
import { isOpen, viewFinding } from '../findings/rules.ts';
import { FindingView } from '../findings/state.ts';
import { viewHold } from '../holds/rules.ts';
import { HoldView } from '../holds/state.ts';
import { viewIntervention } from '../interventions/rules.ts';
import { type Intervention, InterventionView } from '../interventions/state.ts';
import { pageCall, pickOf } from '../listing.ts';
import { Manifest } from '../manifest/events.ts';
import { receivedBy } from '../manifest/rules.ts';
import { defineOperation } from '../operation.ts';
import { listPreflight } from '../preflight/rules.ts';
import { PreflightView } from '../preflight/state.ts';
import { ProfileNameView, profileOf } from '../profiles.ts';
import { QuestionView, viewQuestion } from '../questions/state.ts';
import { AgentQuotaView, viewQuotas } from '../quotas/rules.ts';
import { listOwnerReadiness, OwnerReadinessView } from '../readiness/rules.ts';
import { viewRecommendation } from '../recommendations/rules.ts';
import { RecommendationView } from '../recommendations/state.ts';
import { listReviews, viewModeratorReview } from '../reviews/rules.ts';
import { ModeratorReviewView, ReviewView } from '../reviews/state.ts';
import { SECRET_POLICIES } from '../session/events.ts';
import { moverSince, moversOf } from '../session/movers.ts';
import { DutyView, ownerWaits, viewDuties } from '../session/owner-waits/owner-waits.ts';
import { instructionFor } from '../session/rules.ts';
import { FullStateView, RequirementView, SourceView, viewInFull } from '../session/views.ts';
import type { SessionState } from '../state.ts';
import { viewOwnerAction } from '../tasks/task-text.ts';
import { listWaits, SessionGlance } from './overview.ts';
import type { RecordType } from './record-types.ts';
import { AccessView, PresentAgent, viewAccess, viewBuilders } from './view-access.ts';

const SessionView = namedObject('SessionView', {
  session_id: z.string(),
  profile: ProfileNameView,
  title: z.string(),
  objective: z.string(),
  guardrails: z.array(z.string()),
  requirements: z.array(RequirementView),
  agenda: AgendaView.optional(),
  agenda_open: AgendaOpen.optional(),
  agents: z.array(PresentAgent),
  first_turn: BuilderRole,
  fixture_version: z.string(),
  environment: z.string().optional().describe('Where the agents verify; absent if you named no place.'),
  secret_policy: z.enum(SECRET_POLICIES),
  group: SessionGlance.shape.group,
  source: SourceView.optional().describe('The specification of which the session was made; absent if none was named.'),
  created_at: At,
  head: LogHead,
  state: FullStateView,
  movers: SessionGlance.shape.movers,
  duties: z.array(DutyView).describe('What each agent in movers has to do.'),
  since: SessionGlance.shape.since,
  waits: SessionGlance.shape.waits,
  decisions: z.array(OwnerDecisionView),
  questions: z.array(QuestionView),
  interventions: z.array(InterventionView),
  actions: z.array(ActionView),
  revisions: z.array(RevisionView).describe('All revisions, oldest first; plan gives the latest in full.'),
  findings: z.array(FindingView),
  holds: z.array(HoldView),
  reviews: z.array(ReviewView),
  moderator_reviews: z.array(ModeratorReviewView),
  recommendations: z.array(RecommendationView),
  preflight: PreflightView.nullable(),
  manifest: Manifest.nullable(),
  approvals: z.array(ApprovalsView).describe('Who approved the contract and authorized each step.'),
  build_progress: BuildProgressView.nullable().describe(
    'Progress of the build; null if no authorized build is under way.',
  ),
  receipts: z.strictObject({ agent_a: z.array(z.string()), agent_b: z.array(z.string()) }),
  readiness: z.array(OwnerReadinessView),
  moderator: ModeratorView,
  access: z.array(AccessView),
  quotas: z.array(AgentQuotaView).describe('What each agent has used of its quotas.'),
  ...LEFT_OUT,
});

// With `agents`, so that this member keeps its place; `viewBuilders` gives its value.
const pickMission = pickOf(
  SessionView.pick({
    title: true,
    objective: true,
    guardrails: true,
    requirements: true,
    agents: true,
    first_turn: true,
    fixture_version: true,
    environment: true,
    secret_policy: true,
    group: true,
    source: true,
    created_at: true,
  }),
);

/** Domain 3. Shows the owner everything that the agents see, and the records that only the owner sees. */
export const view = defineOperation({
  name: 'view',
  summary:
    'Show everything of a session: task, state, decisions, questions, interventions, actions, contract, readiness and access.',
  access: { owner: true },
  input: NoInput,
  output: SessionView,
  readsPresence: true,

  reply(state, _input, { presence }) {
    const { sessionId, profile, head } = state;
    const lists = boundedLists(VIEW_COST);
    const shown = listRecords(lists, state);
    const all = ownerWaits(state, presence);
    const waits = listWaits(lists, all);
    const movers = moversOf(state, presence);
    const reviews = listReviews(lists, state);
    const readiness = listOwnerReadiness(lists, state);
    const preflight = listPreflight(lists, state);
    return {
      session_id: sessionId,
      profile: profileOf(state),
      ...pickMission(profile),
      ...viewAgenda(state),
      agents: viewBuilders(state, presence, movers),
      head: { ...head },
      state: { ...viewInFull(state, 'owner'), instruction: instructionFor(state, 'owner', presence) },
      movers,
      duties: viewDuties(state, movers),
      since: moverSince(state, movers, all),
      waits: waits(),
      decisions: shown.decisions(),
      questions: shown.questions(),
      interventions: shown.interventions(),
      actions: shown.actions(),
      revisions: shown.revisions(),
      findings: shown.findings(),
      holds: shown.holds(),
      reviews: reviews(),
      moderator_reviews: shown.moderatorReviews(),
      recommendations: shown.recommendations(),
      preflight: preflight(),
      manifest: state.manifest.current,
      approvals: viewAllApprovals(state),
      build_progress: buildProgress(state),
      receipts: {
        agent_a: receivedBy(state.manifest, 'agent_a'),
        agent_b: receivedBy(state.manifest, 'agent_b'),
      },
      readiness: readiness(),
      moderator: viewModerator(state),
      access: viewAccess(state, presence),
      quotas: viewQuotas(state),
      ...lists.leftOut(),
    };
  },
});

/** Maximum size of all lists of the view together, in bytes as `costOf` counts them. */
const VIEW_COST = 1_200_000;

/**
 * Adds the records to the lists of the view. For each type, the open records come first, then as many of the newest
 * other records as fit.
 */
function listRecords(lists: BoundedLists, state: SessionState) {
  const { decisions, questions, interventions, actions, findings, holds, recommendations, contract } = state;
  const list = <R, V>(
    type: RecordType,
    all: PersistentMap<R>,
    view: (record: R) => V,
    isCurrent: (record: R) => boolean,
  ) =>
    lists.list({
      records: valuesOf(all),
      view,
      isCurrent,
      how: () => pageCall('records', 0, `type: "${type}"`),
    });
  const standing = new Set(interventions.standing);
  const viewOne = (one: Intervention) => viewIntervention(one, 'owner');
  return {
    decisions: list('decision', decisions.all, (one) => viewOwnerDecision(decisions, one), isActive),
    questions: list('question', questions.all, viewQuestion, ({ status }) => status === 'OPEN'),
    interventions: list('intervention', interventions.all, viewOne, (one) => standing.has(one.intervention_id)),
    actions: list('action', actions.all, viewOwnerAction(state), ({ status }) => status !== 'COMPLETED'),
    revisions: list('revision', contract.revisions, viewRevision, () => false),
    findings: list('finding', findings.all, (one) => viewFinding(state, one), isOpen),
    holds: list('hold', holds.all, viewHold, ({ released }) => released === null),
    moderatorReviews: list('moderator_review', state.moderatorReviews, viewModeratorReview(state), () => false),
    recommendations: list('recommendation', recommendations.all, viewRecommendation, ({ answer }) => answer === null),
  };
}
