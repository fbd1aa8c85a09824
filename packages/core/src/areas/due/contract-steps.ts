import { type Builder, partyWords } from '../../kernel/roles.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { activeHolds } from '../holds/rules.ts';
import { receiptsMissing } from '../manifest/rules.ts';
import { exhaustedText, isUsedUp, quotaUseOf } from '../quotas/rules.ts';
import { missingForBuild } from '../readiness/rules.ts';
import type { SessionState } from '../state.ts';
import { type Step, say } from './step.ts';

/** The step of a builder in CONTRACT: to remove the first blocker that it can remove now. */
export function contractStep(state: SessionState, role: Builder): Step {
  const blockers = blockersOf(state);
  const due = blockers.filter((blocker) => blocker.responsible === role && isTimely(blocker));
  const revisions = quotaUseOf(state, role, 'revisions');
  const own = due.find((blocker) => !isUsedUp(revisions) || !isRevision(blocker));
  if (own) {
    const { tool = null, text, payload } = own.resolution;
    return say(tool, `${own.code} on ${own.record.id}: ${text}`, payload);
  }
  if (due.length > 0) return say('wait_for_my_turn', exhaustedText(revisions));
  const { latest } = state.contract;
  if (blockers.length === 0)
    return say('wait_for_my_turn', `Wait for the owner to approve ${latest?.revision_id}, which is certified.`);
  const other = blockers.find(isTimely);
  if (!other) return say('wait_for_my_turn', waitForModerator(state, role));
  return say(
    'wait_for_my_turn',
    `Wait for ${partyWords(other.responsible)} to remove the blocker ${other.code} on ${other.record.id}.${acceptWords(other)}`,
  );
}

/** After a request for changes, tells the reviewer that the author proposes the new positions. Empty for other blockers. */
const acceptWords = ({ code, responsible }: Blocker): string =>
  code === 'CHANGES_REQUESTED'
    ? ` As Contract Author, ${responsible} proposes the new positions: accept or reject them with accept_decision and reject_decision.`
    : '';

/**
 * The text that tells a builder to wait for the moderator's review. It tells the Contract Author also how long to wait,
 * because the moderator might never answer.
 */
function waitForModerator(
  { contract: { latest }, election: { contract_author: author } }: SessionState,
  role: Builder,
): string {
  const wait = `Wait for the moderator to review ${latest?.revision_id}.`;
  return role === author
    ? `${wait} After three waits without news, review it yourself with submit_final_review (POST final-review): the moderator can still object.`
    : wait;
}

const isRevision = ({ resolution: { tool } }: Blocker): boolean =>
  tool === 'submit_contract' || tool === 'patch_contract';

/** Whether this builder must submit another revision to remove a blocker. */
export const owesRevision = (state: SessionState, role: Builder): boolean =>
  state.profile.phase === 'CONTRACT' &&
  blockersOf(state).some((blocker) => blocker.responsible === role && isRevision(blocker));

/** Whether a blocker can be removed now. A blocker with `waits_for` cannot be removed yet. */
const isTimely = ({ waits_for }: Blocker): boolean => waits_for === undefined;

/** The step of a builder in READINESS: to confirm its artifacts, then to report readiness, then to wait. */
export function readinessStep(state: SessionState, role: Builder): Step {
  const missing = receiptsMissing(state.manifest, role).length;
  if (missing > 0)
    return say(
      'list_artifacts',
      `You have not confirmed ${missing} of your artifacts. Call fetch_artifact for those whose content you do not have, then confirm all of them in one call of confirm_receipt.`,
    );
  const report = state.readiness.reports[role];
  if (!report)
    return say(
      'get_readiness_questions',
      'Read your readiness questions with get_readiness_questions, then answer them from your handoff with submit_readiness.',
    );
  if (report.verdict === 'BLOCKED')
    return say(
      'wait_for_my_turn',
      'You reported BLOCKED. Wait for the owner to remove the cause, then call submit_readiness again.',
    );
  const { reports, checks, disputes } = missingForBuild(state);
  if (reports.length > 0) return say('wait_for_my_turn', `Wait for ${reports.join(' and ')} to report READY_TO_CODE.`);
  if (checks.length > 0)
    return say(
      'wait_for_my_turn',
      `Wait for ${checks.join(' and ')} to confirm or dispute the readiness answers of the other agent.`,
    );
  const [dispute] = disputes;
  if (dispute)
    return say(
      'wait_for_my_turn',
      `Wait for ${dispute.raised_by} to resolve finding ${dispute.finding_id}, which disputes a readiness answer and stops the build.`,
    );
  const [hold] = activeHolds(state.holds);
  return hold
    ? say(
        'wait_for_my_turn',
        `Both agents are ready. Wait until hold ${hold.hold_id} on finding ${hold.finding_id} is released: it stops the build.`,
      )
    : say('wait_for_my_turn', 'Both agents are ready. Wait for the owner to authorize the build.');
}
