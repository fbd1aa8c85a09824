import { answerQuestion } from './owner/answer-question.ts';
import { appointAuthor } from './owner/appoint-author.ts';
import { approveContract } from './owner/approve-contract.ts';
import { artifact } from './owner/artifact.ts';
import { ask } from './owner/ask.ts';
import { assignAction } from './owner/assign-action.ts';
import { authorize } from './owner/authorize.ts';
import { blockers } from './owner/blockers.ts';
import { board } from './owner/board.ts';
import { diff } from './owner/diff.ts';
import { direct } from './owner/direct.ts';
import { end } from './owner/end.ts';
import { extendRounds } from './owner/extend-rounds.ts';
import { grantModerator } from './owner/grant-moderator.ts';
import { invite } from './owner/invite.ts';
import { overrideFinding } from './owner/override-finding.ts';
import { overrideReview } from './owner/override-review.ts';
import { pause } from './owner/pause.ts';
import { plan } from './owner/plan.ts';
import { raiseQuota } from './owner/raise-quota.ts';
import { reassignDefect } from './owner/reassign-defect.ts';
import { records } from './owner/records.ts';
import { releaseHold } from './owner/release-hold.ts';
import { requestChanges } from './owner/request-changes.ts';
import { respondRecommendation } from './owner/respond-recommendation.ts';
import { restoreModerator } from './owner/restore-moderator.ts';
import { resume } from './owner/resume.ts';
import { revision } from './owner/revision.ts';
import { revoke } from './owner/revoke.ts';
import { start } from './owner/start.ts';
import { stopModerator } from './owner/stop-moderator.ts';
import { transcript } from './owner/transcript.ts';
import { view } from './owner/view.ts';
import { waiveDefect } from './owner/waive-defect.ts';
import { withdrawIntervention } from './owner/withdraw-intervention.ts';

/** The owner's operations on one session. An agent's token never reaches them. */
export const ownerOperations = [
  view,
  records,
  transcript,
  plan,
  revision,
  diff,
  blockers,
  artifact,
  board,
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
