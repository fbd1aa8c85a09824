import {
  answerQuestion,
  appointAuthor,
  ask,
  assignAction,
  direct,
  invite,
  revoke,
  withdrawIntervention,
} from './owner/agents.ts';
import { approveContract } from './owner/approval.ts';
import { certificate } from './owner/certificate.ts';
import {
  artifact,
  blockers,
  brief,
  changes,
  diff,
  markRead,
  overrideFinding,
  plan,
  requestChanges,
  revision,
} from './owner/contract.ts';
import { noteFollowup } from './owner/followups.ts';
import { bindWorkflow, changeLinks, linkChange, unbindWorkflow, unlinkChange } from './owner/links.ts';
import {
  grantModerator,
  overrideReview,
  releaseHold,
  respondRecommendation,
  restoreModerator,
  stopModerator,
} from './owner/moderator.ts';
import { records } from './owner/records.ts';
import { report } from './owner/report.ts';
import { end, extendRounds, pause, raiseQuota, resume, start } from './owner/session.ts';
import { transcript } from './owner/transcript.ts';
import { authorize, board, carryPass, reassignDefect, refuseStep, waiveDefect } from './owner/verify.ts';
import { view } from './owner/view.ts';

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
  certificate,
  changeLinks,
  markRead,
  start,
  invite,
  revoke,
  ask,
  direct,
  withdrawIntervention,
  answerQuestion,
  assignAction,
  noteFollowup,
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
  linkChange,
  unlinkChange,
  bindWorkflow,
  unbindWorkflow,
  grantModerator,
  stopModerator,
  restoreModerator,
  extendRounds,
  raiseQuota,
  pause,
  resume,
  end,
] as const;
