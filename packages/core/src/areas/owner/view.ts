import { z } from 'zod';
import { lookUp, valuesOf } from '../../kernel/history.ts';
import { AGENTS } from '../../kernel/roles.ts';
import { PERMISSIONS, SCOPES } from '../../kernel/scopes.ts';
import { ModeratorView, viewModerator } from '../access/schemas.ts';
import { ActionView, viewAction } from '../actions/schemas.ts';
import { RevisionFields, viewRevision } from '../contract/schemas.ts';
import { DecisionView, viewDecision } from '../decisions/schemas.ts';
import { AgentRole, At, BuilderRole, NoInput } from '../fields.ts';
import { FindingView, viewFinding } from '../findings/schemas.ts';
import { HoldView, viewHold } from '../holds/schemas.ts';
import { InterventionView, viewIntervention } from '../interventions/schemas.ts';
import { Manifest } from '../manifest/state.ts';
import { defineOperation } from '../operation.ts';
import { PreflightView, viewPreflight } from '../preflight/schemas.ts';
import { QuestionView, viewQuestion } from '../questions/schemas.ts';
import { ReadinessView, viewReadiness } from '../readiness/schemas.ts';
import { RecommendationView, viewRecommendation } from '../recommendations/schemas.ts';
import { ModeratorReviewView, viewModeratorReview } from '../reviews/moderator-schemas.ts';
import { ReviewView, viewReviews } from '../reviews/schemas.ts';
import { moversOf } from '../session/movers.ts';
import { ownerWaits } from '../session/owner-waits.ts';
import { AgentView, RequirementView, StateView } from '../session/schemas.ts';
import { SECRET_POLICIES } from '../session/state.ts';
import { viewAgents, viewState } from '../session/views.ts';
import type { SessionState } from '../state.ts';
import { SessionGlance } from './overview.ts';

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

/** Domain 3: all that both sides see, and what only the owner does. */
export const view = defineOperation({
  name: 'view',
  summary:
    'Show everything of a session: task, state, decisions, questions, interventions, actions, contract, readiness and access.',
  access: { owner: true },
  input: NoInput,
  output: z.strictObject({
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
    head: z.strictObject({ seq: z.int(), hash: z.string() }),
    state: StateView,
    movers: SessionGlance.shape.movers,
    waits: SessionGlance.shape.waits,
    decisions: z.array(DecisionView),
    questions: z.array(QuestionView),
    interventions: z.array(InterventionView),
    actions: z.array(ActionView),
    revisions: z
      .array(z.strictObject(RevisionFields))
      .describe('All revisions, oldest first; plan gives the latest whole.'),
    findings: z.array(FindingView),
    holds: z.array(HoldView),
    reviews: z.array(ReviewView),
    moderator_reviews: z.array(ModeratorReviewView),
    recommendations: z.array(RecommendationView),
    preflight: PreflightView.nullable(),
    manifest: Manifest.nullable(),
    receipts: z.strictObject({ agent_a: z.array(z.string()), agent_b: z.array(z.string()) }),
    readiness: z.array(ReadinessView),
    moderator: ModeratorView,
    access: z.array(AccessView),
  }),
  errors: [],

  reply(state) {
    const { sessionId, profile, head } = state;
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
      state: viewState(state, 'owner'),
      movers: moversOf(state),
      waits: ownerWaits(state),
      decisions: valuesOf(state.decisions.all).map(viewDecision),
      questions: valuesOf(state.questions.all).map(viewQuestion),
      interventions: valuesOf(state.interventions.all).map((intervention) => viewIntervention(intervention, 'owner')),
      actions: valuesOf(state.actions.all).map(viewAction),
      revisions: valuesOf(state.contract.revisions).map(viewRevision),
      findings: valuesOf(state.findings.all).map(viewFinding),
      holds: valuesOf(state.holds.all).map(viewHold),
      reviews: viewReviews(state),
      moderator_reviews: valuesOf(state.moderatorReviews).map(viewModeratorReview(state)),
      recommendations: valuesOf(state.recommendations.all).map(viewRecommendation),
      preflight: viewPreflight(state),
      manifest: state.manifest.current,
      receipts: {
        agent_a: [...state.manifest.receipts.agent_a],
        agent_b: [...state.manifest.receipts.agent_b],
      },
      readiness: viewReadiness(state),
      moderator: viewModerator(state),
      access: viewAccess(state),
    };
  },
});

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
