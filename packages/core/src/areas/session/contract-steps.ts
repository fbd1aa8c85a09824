import type { Builder } from '../../kernel/roles.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { activeHolds } from '../holds/rules.ts';
import { receiptsMissing } from '../manifest/rules.ts';
import { exhaustedText, isUsedUp, useOf } from '../quotas/rules.ts';
import { missingForBuild } from '../readiness/rules.ts';
import { reviewersDue } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { type Step, say } from './step.ts';

/** The step in CONTRACT: the builder removes its own blockers in order. A turn is possible but never required. */
export function contractStep(state: SessionState, role: Builder): Step {
  const blockers = blockersOf(state);
  const due = blockers.filter((blocker) => blocker.responsible === role && isTimely(state, blocker));
  const revisions = useOf(state, role, 'revisions');
  const own = due.find((blocker) => !isUsedUp(revisions) || !isRevision(blocker));
  if (own) return say(own.resolution.tool ?? null, `${own.code} on ${own.record.id}: ${own.resolution.text}`);
  if (due.length > 0) return say('wait_for_my_turn', exhaustedText(revisions));
  const { latest } = state.contract;
  if (blockers.length === 0)
    return say('wait_for_my_turn', `Wait: ${latest?.revisionId} is certified; the owner must approve it.`);
  const other = blockers.find((blocker) => isTimely(state, blocker));
  if (!other) return say('wait_for_my_turn', `Wait for the moderator to review ${latest?.revisionId}.`);
  return say('wait_for_my_turn', `Wait for ${other.responsible}: ${other.code} on ${other.record.id}.`);
}

const isRevision = ({ resolution: { tool } }: Blocker): boolean =>
  tool === 'submit_contract' || tool === 'patch_contract';

/** Whether certification needs a further revision by this builder. */
export const owesRevision = (state: SessionState, role: Builder): boolean =>
  state.profile.phase === 'CONTRACT' &&
  blockersOf(state).some((blocker) => blocker.responsible === role && isRevision(blocker));

/** Whether the responsible role can remove the blocker now: a missing review counts only once it is due. */
const isTimely = (state: SessionState, { code, responsible }: Blocker): boolean =>
  code !== 'REVIEW_MISSING' || reviewersDue(state).some((role) => role === responsible);

/** The step in READINESS: receipts first, then the report, then waiting. */
export function readinessStep(state: SessionState, role: Builder): Step {
  const missing = receiptsMissing(state.manifest, role).length;
  if (missing > 0)
    return say(
      'list_artifacts',
      `You have not confirmed ${missing} of your artifacts: fetch_artifact each that you have not read, then confirm all by one confirm_receipt.`,
    );
  const report = state.readiness.reports[role];
  if (!report)
    return say('get_readiness_questions', 'Answer the readiness questions from your handoff with submit_readiness.');
  if (report.verdict === 'BLOCKED')
    return say(
      'wait_for_my_turn',
      'You reported BLOCKED: wait for the owner, and call submit_readiness again once the cause is removed.',
    );
  const { reports, checks, disputes } = missingForBuild(state);
  if (reports.length > 0) return say('wait_for_my_turn', `Wait for ${reports.join(' and ')} to report READY_TO_CODE.`);
  if (checks.length > 0)
    return say('wait_for_my_turn', `Wait for ${checks.join(' and ')} to confirm or dispute the other's answers.`);
  const [dispute] = disputes;
  if (dispute)
    return say(
      'wait_for_my_turn',
      `Wait: ${dispute.findingId} on a readiness answer is open; ${dispute.raisedBy} resolves it.`,
    );
  const [hold] = activeHolds(state.holds);
  return hold
    ? say('wait_for_my_turn', `Wait: both agents are ready; hold ${hold.holdId} on ${hold.findingId} stops the build.`)
    : say('wait_for_my_turn', 'Wait: both agents are ready; the owner must authorize the build.');
}
