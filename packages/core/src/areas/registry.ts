import { createRegistry, type OlderNames } from '../kernel/operation/registry.ts';
import { health, redeemInvitation } from './access/operations.ts';
import { ackAction, completeAction, pollActions } from './actions/operations.ts';
import {
  getContractSchema,
  getFinalPlan,
  getPreflight,
  getRevisionDiff,
  listBlockers,
  patchContract,
  proposeRevision,
  submitContract,
  submitPosition,
  submitPreflight,
  validateContractDraft,
} from './contract/operations.ts';
import { revalidateContract } from './contract/submission.ts';
import {
  getModeratorFindings,
  listFindings,
  releaseHold,
  requestHold,
  resolveFinding,
  respondFinding,
  submitFinding,
  submitModeratorFinding,
} from './findings/operations.ts';
import { ackEvents, getModeratorStatus, getSessionEvents, waitForActivity } from './interventions/feed.ts';
import {
  ackIntervention,
  answerIntervention,
  askAgent,
  getModeratorQuestions,
  listInterventions,
  recommendToOwner,
  withdrawQuestion,
} from './interventions/operations.ts';
import {
  confirmReceipt,
  fetchArtifact,
  getReadinessQuestions,
  listArtifacts,
  submitReadiness,
} from './manifest/operations.ts';
import {
  acceptDecision,
  listDecisions,
  rejectDecision,
  submitDecision,
  withdrawDecision,
} from './planning/decision-operations.ts';
import { answerQuestion, electContractAuthor, postEvidence, postTurn } from './planning/operations.ts';
import { getContractReview, submitContractReview, submitFinalReview } from './reviews/operations.ts';
import { readMessages, readSessionState, readTask, waitForMyTurn } from './session/operations.ts';
import { verifyAttach, verifyGate } from './verify/attach.ts';
import {
  verifyBoard,
  verifyHandshake,
  verifyNext,
  verifyStartAttempt,
  verifySubmitEvidence,
  verifySubmitFix,
  verifyVerify,
} from './verify/operations.ts';

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
  verifyAttach,
  verifyGate,
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
