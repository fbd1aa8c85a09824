import { answerQuestion } from './owner/agents/answer-question.ts';
import { appointAuthor } from './owner/agents/appoint-author.ts';
import { ask } from './owner/agents/ask.ts';
import { assignAction } from './owner/agents/assign-action.ts';
import { direct } from './owner/agents/direct.ts';
import { invite } from './owner/agents/invite.ts';
import { revoke } from './owner/agents/revoke.ts';
import { withdrawIntervention } from './owner/agents/withdraw-intervention.ts';
import { approveContract } from './owner/contract/approve-contract.ts';
import { artifact } from './owner/contract/artifact.ts';
import { blockers } from './owner/contract/blockers.ts';
import { brief } from './owner/contract/brief.ts';
import { changes } from './owner/contract/changes.ts';
import { diff } from './owner/contract/diff.ts';
import { markRead } from './owner/contract/mark-read.ts';
import { overrideFinding } from './owner/contract/override-finding.ts';
import { plan } from './owner/contract/plan.ts';
import { requestChanges } from './owner/contract/request-changes.ts';
import { revision } from './owner/contract/revision.ts';
import { grantModerator } from './owner/moderator/grant-moderator.ts';
import { overrideReview } from './owner/moderator/override-review.ts';
import { releaseHold } from './owner/moderator/release-hold.ts';
import { respondRecommendation } from './owner/moderator/respond-recommendation.ts';
import { restoreModerator } from './owner/moderator/restore-moderator.ts';
import { stopModerator } from './owner/moderator/stop-moderator.ts';
import { records } from './owner/records/records.ts';
import { end } from './owner/session/end.ts';
import { extendRounds } from './owner/session/extend-rounds.ts';
import { pause } from './owner/session/pause.ts';
import { raiseQuota } from './owner/session/raise-quota.ts';
import { resume } from './owner/session/resume.ts';
import { start } from './owner/session/start.ts';
import { transcript } from './owner/transcript/transcript.ts';
import { authorize } from './owner/verify/authorize.ts';
import { board } from './owner/verify/board.ts';
import { carryPass } from './owner/verify/carry-pass.ts';
import { reassignDefect } from './owner/verify/reassign-defect.ts';
import { refuseStep } from './owner/verify/refuse-step.ts';
import { waiveDefect } from './owner/verify/waive-defect.ts';
import { report } from './owner/views/report.ts';
import { view } from './owner/views/view.ts';

/** The owner's operations on one session. No agent's token can reach them. */
export const ownerOperations = [
  view,
  records,
  report,
  transcript,
  plan,
  revision,
  diff,
  changes,
  brief,
  blockers,
  artifact,
  board,
  markRead,
  start,
  invite,
  revoke,
  ask,
  direct,
  withdrawIntervention,
  answerQuestion,
  assignAction,
  appointAuthor,
  overrideFinding,
  releaseHold,
  overrideReview,
  respondRecommendation,
  approveContract,
  requestChanges,
  authorize,
  refuseStep,
  carryPass,
  reassignDefect,
  waiveDefect,
  grantModerator,
  stopModerator,
  restoreModerator,
  extendRounds,
  raiseQuota,
  pause,
  resume,
  end,
] as const;
