import { createRegistry, type OlderNames } from '../kernel/operation/registry.ts';
import { health } from './access/health.ts';
import { redeemInvitation } from './access/redeem-invitation.ts';
import { ackAction } from './actions/ack-action.ts';
import { completeAction } from './actions/complete-action.ts';
import { pollActions } from './actions/poll-actions.ts';
import { listBlockers } from './blockers/list-blockers.ts';
import { getContractSchema } from './contract/get-contract-schema.ts';
import { getRevisionDiff } from './contract/get-revision-diff.ts';
import { patchContract } from './contract/patch-contract.ts';
import { proposeRevision } from './contract/propose-revision.ts';
import { revalidateContract } from './contract/revalidate-contract.ts';
import { submitContract } from './contract/submit-contract.ts';
import { submitPosition } from './contract/submit-position.ts';
import { validateContractDraft } from './contract/validate-contract-draft.ts';
import { acceptDecision } from './decisions/accept-decision.ts';
import { listDecisions } from './decisions/list-decisions.ts';
import { rejectDecision } from './decisions/reject-decision.ts';
import { submitDecision } from './decisions/submit-decision.ts';
import { withdrawDecision } from './decisions/withdraw-decision.ts';
import { electContractAuthor } from './election/elect-contract-author.ts';
import { ackEvents } from './feed/ack-events.ts';
import { getModeratorStatus } from './feed/get-moderator-status.ts';
import { getSessionEvents } from './feed/get-session-events.ts';
import { waitForActivity } from './feed/wait-for-activity.ts';
import { getModeratorFindings } from './findings/get-moderator-findings.ts';
import { listFindings } from './findings/list-findings.ts';
import { resolveFinding } from './findings/resolve-finding.ts';
import { respondFinding } from './findings/respond-finding.ts';
import { submitFinding } from './findings/submit-finding.ts';
import { submitModeratorFinding } from './findings/submit-moderator-finding.ts';
import { releaseHold } from './holds/release-hold.ts';
import { requestHold } from './holds/request-hold.ts';
import { ackIntervention } from './interventions/ack-intervention.ts';
import { answerIntervention } from './interventions/answer-intervention.ts';
import { askAgent } from './interventions/ask-agent.ts';
import { getModeratorQuestions } from './interventions/get-moderator-questions.ts';
import { listInterventions } from './interventions/list-interventions.ts';
import { withdrawQuestion } from './interventions/withdraw-question.ts';
import { confirmReceipt } from './manifest/confirm-receipt.ts';
import { fetchArtifact } from './manifest/fetch-artifact.ts';
import { listArtifacts } from './manifest/list-artifacts.ts';
import { getFinalPlan } from './plan/get-final-plan.ts';
import { getPreflight } from './preflight/get-preflight.ts';
import { submitPreflight } from './preflight/submit-preflight.ts';
import { answerQuestion } from './questions/answer-question.ts';
import { getReadinessQuestions } from './readiness/get-readiness-questions.ts';
import { submitReadiness } from './readiness/submit-readiness.ts';
import { recommendToOwner } from './recommendations/recommend-to-owner.ts';
import { getContractReview } from './reviews/get-contract-review.ts';
import { submitContractReview } from './reviews/submit-contract-review.ts';
import { submitFinalReview } from './reviews/submit-final-review.ts';
import { readMessages } from './session/read-messages.ts';
import { readSessionState } from './session/read-session-state.ts';
import { readTask } from './session/read-task.ts';
import { waitForMyTurn } from './session/wait-for-my-turn.ts';
import { postEvidence } from './turns/post-evidence.ts';
import { postTurn } from './turns/post-turn.ts';
import { verifyBoard } from './verify/verify-board.ts';
import { verifyHandshake } from './verify/verify-handshake.ts';
import { verifyNext } from './verify/verify-next.ts';
import { verifyStartAttempt } from './verify/verify-start-attempt.ts';
import { verifySubmitEvidence } from './verify/verify-submit-evidence.ts';
import { verifySubmitFix } from './verify/verify-submit-fix.ts';
import { verifyVerify } from './verify/verify-verify.ts';

/**
 * The agents' operations, the most needed first. `tools/list` has the same order, because some clients show only the
 * first tools.
 */
export const operations = [
  readTask,
  readSessionState,
  waitForMyTurn,
  waitForActivity,
  getSessionEvents,
  ackEvents,
  getModeratorStatus,
  readMessages,
  postTurn,
  postEvidence,
  answerQuestion,
  listDecisions,
  submitDecision,
  acceptDecision,
  rejectDecision,
  withdrawDecision,
  electContractAuthor,
  listBlockers,
  getContractSchema,
  submitContract,
  validateContractDraft,
  patchContract,
  getFinalPlan,
  getRevisionDiff,
  submitFinalReview,
  getPreflight,
  submitPreflight,
  listFindings,
  submitFinding,
  respondFinding,
  resolveFinding,
  listArtifacts,
  fetchArtifact,
  confirmReceipt,
  getReadinessQuestions,
  submitReadiness,
  verifyNext,
  verifyHandshake,
  verifyStartAttempt,
  verifySubmitEvidence,
  verifyVerify,
  verifySubmitFix,
  verifyBoard,
  listInterventions,
  ackIntervention,
  answerIntervention,
  pollActions,
  ackAction,
  completeAction,
  revalidateContract,
  submitPosition,
  proposeRevision,
  askAgent,
  getModeratorQuestions,
  withdrawQuestion,
  submitModeratorFinding,
  getModeratorFindings,
  requestHold,
  releaseHold,
  submitContractReview,
  getContractReview,
  recommendToOwner,
  health,
  redeemInvitation,
] as const;

/** Spec 4.3. Older names of tools. `tools/call` accepts them; `tools/list` does not contain them. */
const olderNames: OlderNames = {
  moderator: {
    list_findings: 'get_moderator_findings',
    ask_agents: 'ask_agent',
    withdraw_intervention: 'withdraw_question',
    raise_finding: 'submit_moderator_finding',
  },
};

export const registry = createRegistry(operations, olderNames);
