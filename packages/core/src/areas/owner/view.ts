import { z } from 'zod';
import type { ParleyError } from '../../kernel/errors.ts';
import { lookUp, type PersistentMap, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { type BoundedLists, boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { AGENTS, type Agent, BUILDERS, type Presence, type Role } from '../../kernel/roles.ts';
import type { ListedSession } from '../../kernel/storage/storage.ts';
import { firstWords } from '../../kernel/text/readable.ts';
import { AgentPresence, ModeratorView, presenceOf, viewModerator, viewPresence } from '../access/rules.ts';
import { currentTokenOf, InvitationView, TokenView } from '../access/state.ts';
import { BuildProgressView, buildProgress } from '../actions/rules.ts';
import { ActionView } from '../actions/state.ts';
import { ApprovalsView, viewAllApprovals } from '../approvals/rules.ts';
import { RevisionRef, viewRevisionRef } from '../blockers/rules.ts';
import { listPreflight } from '../contract/preflight.ts';
import { viewRevision } from '../contract/rules.ts';
import { PreflightView, RevisionView } from '../contract/state.ts';
import { AgentRole, At, BuilderRole, LogHead, NoInput, Party } from '../fields.ts';
import { isOpen, viewFinding, viewHold } from '../findings/rules.ts';
import { FindingView, HoldView } from '../findings/state.ts';
import { viewIntervention, viewRecommendation } from '../interventions/rules.ts';
import { type Intervention, InterventionView, RecommendationView } from '../interventions/state.ts';
import { pageCall, pickOf } from '../listing.ts';
import { Manifest } from '../manifest/events.ts';
import { listOwnerReadiness, OwnerReadinessView } from '../manifest/readiness.ts';
import { receivedBy } from '../manifest/rules.ts';
import { defineOperation } from '../operation.ts';
import { OwnerDecisionView, viewOwnerDecision } from '../planning/decisions.ts';
import { AgendaOpen, AgendaView, viewAgenda } from '../planning/rules.ts';
import { isActive, QuestionView, viewQuestion } from '../planning/state.ts';
import { ProfileNameView, profileOf } from '../profiles.ts';
import { AgentQuotaView, viewQuotas } from '../quotas/rules.ts';
import { listReviews, viewModeratorReview } from '../reviews/rules.ts';
import { ModeratorReviewView, ReviewView } from '../reviews/state.ts';
import { PHASES, SECRET_POLICIES } from '../session/events.ts';
import { brokenLogWait, DutyView, ownerWaits, viewDuties } from '../session/owner-waits/owner-waits.ts';
import { type OwnerWait, OwnerWaitView } from '../session/owner-waits/waits.ts';
import { instructionFor } from '../session/rules.ts';
import { STATUSES } from '../session/state.ts';
import { AgentView, FullStateView, RequirementView, SourceView, viewAgent, viewInFull } from '../session/views.ts';
import { agentSince, lastActivityAt, moverSince, moversOf } from '../session/work.ts';
import type { SessionState } from '../state.ts';
import { viewOwnerAction } from '../tasks/task-text.ts';
import { certificationOf } from '../verify/certification.ts';
import { standingDefects } from '../verify/scenarios.ts';
import type { RecordType } from './record-types.ts';

const AccessView = namedObject('Access', {
  role: AgentRole,
  token: TokenView.nullable(),
  last_call_at: AgentPresence.shape.last_call_at,
  waiting: AgentPresence.shape.waiting,
  invitation: InvitationView.nullable(),
});

const PresentAgent = AgentView.extend(AgentPresence.omit({ role: true }).shape);
documented.add(PresentAgent, { id: 'PresentAgent' });

const viewBuilders = (
  state: SessionState,
  presence: Presence,
  movers: readonly Role[],
): z.output<typeof PresentAgent>[] =>
  BUILDERS.map((role) => {
    const { role: _role, ...present } = presenceOf(state, role, presence);
    return { ...viewAgent(state.profile, role), ...present, ...dueSince(state, role, movers) };
  });

/** The presence of the agents, and since when each agent among the given roles has been able to act. */
const viewDuePresence = (
  state: SessionState,
  presence: Presence,
  movers: readonly Role[],
): z.output<typeof AgentPresence>[] =>
  viewPresence(state, presence).map((agent) => ({ ...agent, ...dueSince(state, agent.role, movers) }));

function dueSince(state: SessionState, role: Agent, movers: readonly Role[]): { due_since?: string } {
  const since = movers.includes(role) ? agentSince(state, role) : null;
  return since === null ? {} : { due_since: since };
}

const pickToken = pickOf(TokenView);
const pickInvitation = pickOf(InvitationView);

function viewAccess(state: SessionState, presence: Presence): z.output<typeof AccessView>[] {
  const { access } = state;
  return AGENTS.map((role) => {
    const token = currentTokenOf(access, role);
    const invitation = lookUp(access.invitations, access.openCode[role] ?? '');
    const { last_call_at, waiting } = presenceOf(state, role, presence);
    return {
      role,
      token: token ? pickToken({ ...token, revoked: token.revoked_at !== null }) : null,
      last_call_at,
      waiting,
      invitation: invitation ? pickInvitation(invitation) : null,
    };
  });
}

const GlanceFault = z.strictObject({
  code: z.enum(['LOG_BROKEN', 'NEWER_RELEASE']),
  text: z.string(),
});

export const SessionGlance = namedObject('SessionGlance', {
  session_id: z.string(),
  title: z.string(),
  group: z.string().optional().describe('The group of the session; absent if it is in none, or cannot be read.'),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  created_at: At,
  updated_at: At.describe('Time of the last event other than pausing and resuming.'),
  events: z.int(),
  movers: z.array(Party).describe('The roles that must act next.'),
  duties: z
    .array(DutyView)
    .optional()
    .describe(
      'What each agent in movers has to do, in at most 200 characters, and since when. Absent if the session cannot be read.',
    ),
  since: At.nullable().describe('Since when the first role in movers can act; null if movers is empty.'),
  agents: z.array(AgentPresence).describe('Both builders, and the moderator once you invited it.'),
  waits: z.array(OwnerWaitView).describe('Tasks that wait for you, the most urgent first.'),
  open_defects: z.int().describe('Defects that are OPEN, or FIXED but not verified again.'),
  stopped: z
    .strictObject({ pause_id: z.string(), at: At })
    .optional()
    .describe(
      'pause_id of the call of pauseAll that paused the session, for resumeAll. Absent if no such call paused it.',
    ),
  fault: GlanceFault.optional().describe('Why the session cannot be read; absent if it can.'),
  ...LEFT_OUT,
});

/** Shows a session whose log cannot be folded, with the facts that the list of sessions contains. */
export function viewUnreadable(listed: ListedSession, error: ParleyError): z.output<typeof SessionGlance> {
  const { sessionId, title, status, phase, createdAt, seq } = listed;
  const isBroken = error.code === 'LOG_BROKEN';
  return {
    session_id: sessionId,
    title,
    status: STATUSES.find((known) => known === status) ?? 'PAUSED',
    phase: PHASES.find((known) => known === phase) ?? 'PLANNING',
    created_at: createdAt,
    updated_at: createdAt,
    events: seq,
    movers: [],
    since: null,
    agents: [],
    open_defects: 0,
    waits: isBroken ? [brokenLogWait(sessionId, error.message, createdAt)] : [],
    fault: { code: isBroken ? 'LOG_BROKEN' : 'NEWER_RELEASE', text: error.message },
  };
}

/**
 * Maximum size of the waiting tasks of one session, in bytes as `costOf` counts them. It is small, because a page shows
 * up to a hundred sessions.
 */
const WAITS_COST = 16_000;

/** Maximum number of characters of a text of an agent, and of a duty. */
const TEXT_CHARS = 200;

const listWaits = (lists: BoundedLists, waits: readonly OwnerWait[]) =>
  lists.list({
    records: waits,
    view: (wait) => wait,
    isCurrent: ({ blocking }) => blocking,
    how: () => 'First do what the listed records ask; then the other records appear here.',
  });

/**
 * Shows a session in the overview.
 * @param isWhole whether the tasks contain the texts of agents in full, or only the first characters of each text
 */
export function viewGlance(state: SessionState, presence: Presence, isWhole = false): z.output<typeof SessionGlance> {
  const lists = boundedLists(WAITS_COST);
  const all = ownerWaits(state, presence);
  const shown = isWhole ? all : all.map((wait) => ({ ...wait, said: wait.said && firstWords(wait.said, TEXT_CHARS) }));
  const waits = listWaits(lists, shown);
  const movers = moversOf(state, presence);
  // A session that was ended during a pause still has `pauseId` in its state.
  const pauseId = state.profile.status === 'PAUSED' ? state.profile.pause_id : null;
  return {
    session_id: state.sessionId,
    title: state.profile.title,
    ...(state.profile.group !== undefined && { group: state.profile.group }),
    status: state.profile.status,
    phase: state.profile.phase,
    created_at: state.profile.created_at,
    updated_at: lastActivityAt(state),
    events: state.head.seq,
    movers,
    duties: viewDuties(state, movers).map(({ role, text }) => {
      const since = agentSince(state, role);
      return { role, text: firstWords(text, TEXT_CHARS), ...(since !== null && { since }) };
    }),
    since: moverSince(state, movers, all),
    agents: viewDuePresence(state, presence, movers),
    waits: waits(),
    open_defects: standingDefects(state).length,
    ...(pauseId !== null && { stopped: { pause_id: pauseId, at: state.times.statusAt } }),
    ...lists.leftOut(),
  };
}

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

/** Member of a call that releases. Before the decision, `requireGroupReady` judges the other sessions of the group. */
export const GroupReady = z
  .boolean()
  .optional()
  .describe(
    'For the deployment and the release: refuse the call unless each other session of the group is certified now, or ended with an authorized deployment. A session can lose its certification a moment later.',
  );

export const GroupSession = namedObject('GroupSession', {
  session: SessionGlance,
  contract: RevisionRef.nullable().describe(
    'The latest revision; null before the first, or if the session cannot be read.',
  ),
  certified: z.boolean().describe('Whether the build is authorized and all certification checks are met.'),
  deployment_authorized: z.boolean(),
  stops: z
    .array(z.string())
    .describe(
      'What stops the release of this session; empty if it is certified, or ended with an authorized deployment.',
    ),
});

type Release = Pick<z.output<typeof GroupSession>, 'certified' | 'deployment_authorized' | 'stops'>;

/** How far a session is on its way to the release, and what stops it. */
export function releaseOf(state: SessionState): Release {
  const { profile, manifest } = state;
  const { deployment_authorized } = manifest;
  const open = openChecks(state);
  const certified = open.length === 0;
  if (profile.status !== 'ENDED') return { certified, deployment_authorized, stops: open };
  const stops = deployment_authorized ? [] : ['The session ended, and its deployment was not authorized.'];
  return { certified, deployment_authorized, stops };
}

function openChecks(state: SessionState): string[] {
  if (!state.manifest.current) return ['The contract is not approved.'];
  if (!state.manifest.build_authorized) return ['The build is not authorized.'];
  return certificationOf(state).flatMap(({ ok, detail }) => (ok ? [] : [detail]));
}

/** The members of a session in its group that its glance does not have. */
export const viewInGroup = (state: SessionState): Omit<z.output<typeof GroupSession>, 'session'> => ({
  contract: viewRevisionRef(state),
  ...releaseOf(state),
});
