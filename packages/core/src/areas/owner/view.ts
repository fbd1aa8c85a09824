import { z } from 'zod';
import { lookUp, type PersistentMap, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { type BoundedLists, boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { AGENTS } from '../../kernel/roles.ts';
import { PERMISSIONS, SCOPES } from '../../kernel/scopes.ts';
import { ModeratorView, viewModerator } from '../access/schemas.ts';
import { ActionView, viewAction } from '../actions/schemas.ts';
import { RevisionView, viewRevision } from '../contract/schemas.ts';
import { isActive } from '../decisions/rules.ts';
import { DecisionView, viewDecision } from '../decisions/schemas.ts';
import { AgentRole, At, BuilderRole, LogHead, NoInput } from '../fields.ts';
import { isOpen } from '../findings/rules.ts';
import { FindingView, viewFinding } from '../findings/schemas.ts';
import { HoldView, viewHold } from '../holds/schemas.ts';
import { InterventionView, viewIntervention } from '../interventions/schemas.ts';
import type { Intervention } from '../interventions/state.ts';
import { pageCall } from '../listing.ts';
import { Manifest } from '../manifest/events.ts';
import { defineOperation } from '../operation.ts';
import { listPreflight, PreflightView } from '../preflight/schemas.ts';
import { QuestionView, viewQuestion } from '../questions/schemas.ts';
import { AgentQuotaView, viewQuotas } from '../quotas/schemas.ts';
import { listOwnerReadiness, OwnerReadinessView } from '../readiness/schemas.ts';
import { RecommendationView, viewRecommendation } from '../recommendations/schemas.ts';
import { ModeratorReviewView, viewModeratorReview } from '../reviews/moderator-schemas.ts';
import { listReviews, ReviewView } from '../reviews/schemas.ts';
import { SECRET_POLICIES } from '../session/events.ts';
import { moversOf } from '../session/movers.ts';
import { AgentView, FullStateView, RequirementView } from '../session/schemas.ts';
import { viewAgents, viewInFull } from '../session/views.ts';
import type { SessionState } from '../state.ts';
import { listWaits, SessionGlance } from './overview.ts';
import type { RecordType } from './record-types.ts';

const AccessView = z.strictObject({
  role: AgentRole,
  token: z
    .strictObject({
      token_prefix: z.string(),
      client_type: z.string().nullable(),
      issued_at: At,
      expires_at: At,
      revoked: z.boolean(),
      scopes: z.array(z.enum(SCOPES)),
      permissions: z.array(z.enum(PERMISSIONS)),
    })
    .nullable(),
  invitation: z.strictObject({ code_prefix: z.string(), expires_at: At }).nullable(),
});
documented.add(AccessView, { id: 'Access' });

const SessionView = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  objective: z.string(),
  guardrails: z.array(z.string()),
  requirements: z.array(RequirementView),
  agents: z.array(AgentView),
  first_turn: BuilderRole,
  fixture_version: z.string(),
  secret_policy: z.enum(SECRET_POLICIES),
  created_at: At,
  head: LogHead,
  state: FullStateView,
  movers: SessionGlance.shape.movers,
  waits: SessionGlance.shape.waits,
  decisions: z.array(DecisionView),
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
  receipts: z.strictObject({ agent_a: z.array(z.string()), agent_b: z.array(z.string()) }),
  readiness: z.array(OwnerReadinessView),
  moderator: ModeratorView,
  access: z.array(AccessView),
  quotas: z.array(AgentQuotaView).describe('What each agent has used of its quotas.'),
  ...LEFT_OUT,
});
documented.add(SessionView, { id: 'SessionView' });

/** Domain 3. Shows everything that the agents see, and the records that only the owner sees. */
export const view = defineOperation({
  name: 'view',
  summary:
    'Show everything of a session: task, state, decisions, questions, interventions, actions, contract, readiness and access.',
  access: { owner: true },
  input: NoInput,
  output: SessionView,
  errors: [],

  reply(state) {
    const { sessionId, profile, head } = state;
    const lists = boundedLists(VIEW_COST);
    const shown = listRecords(lists, state);
    const waits = listWaits(lists, state);
    const reviews = listReviews(lists, state);
    const readiness = listOwnerReadiness(lists, state);
    const preflight = listPreflight(lists, state);
    return {
      session_id: sessionId,
      title: profile.title,
      objective: profile.objective,
      guardrails: [...profile.guardrails],
      requirements: profile.requirements.map((requirement) => ({ ...requirement })),
      agents: viewAgents(profile),
      first_turn: profile.firstTurn,
      fixture_version: profile.fixtureVersion,
      secret_policy: profile.secretPolicy,
      created_at: profile.createdAt,
      head: { ...head },
      state: viewInFull(state, 'owner'),
      movers: moversOf(state),
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
      receipts: {
        agent_a: [...state.manifest.receipts.agent_a],
        agent_b: [...state.manifest.receipts.agent_b],
      },
      readiness: readiness(),
      moderator: viewModerator(state),
      access: viewAccess(state),
      quotas: viewQuotas(state),
      ...lists.leftOut(),
    };
  },
});

/** Maximum cost of all lists of the view together. */
const VIEW_COST = 1_200_000;

/** Of each record type, the open records and as many of the newest others as fit. */
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
    decisions: list('decision', decisions.all, viewDecision, isActive),
    questions: list('question', questions.all, viewQuestion, ({ answer }) => answer === null),
    interventions: list('intervention', interventions.all, viewOne, (one) => standing.has(one.interventionId)),
    actions: list('action', actions.all, viewAction, ({ status }) => status !== 'COMPLETED'),
    revisions: list('revision', contract.revisions, viewRevision, () => false),
    findings: list('finding', findings.all, (one) => viewFinding(state, one), isOpen),
    holds: list('hold', holds.all, viewHold, ({ released }) => released === null),
    moderatorReviews: list('moderator_review', state.moderatorReviews, viewModeratorReview(state), () => false),
    recommendations: list('recommendation', recommendations.all, viewRecommendation, ({ answer }) => answer === null),
  };
}

function viewAccess({ access }: SessionState): z.output<typeof AccessView>[] {
  return AGENTS.map((role) => {
    const token = lookUp(access.tokens, access.currentToken[role] ?? '');
    const invitation = lookUp(access.invitations, access.openCode[role] ?? '');
    return {
      role,
      token: token
        ? {
            token_prefix: token.prefix,
            client_type: token.clientType ?? null,
            issued_at: token.issuedAt,
            expires_at: token.expiresAt,
            revoked: token.isRevoked,
            scopes: [...token.scopes],
            permissions: [...token.permissions],
          }
        : null,
      invitation: invitation ? { code_prefix: invitation.prefix, expires_at: invitation.expiresAt } : null,
    };
  });
}
