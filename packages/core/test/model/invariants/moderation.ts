import { canAct } from '../moderation.ts';
import { MODERATOR_TOOLS, shutOutWith } from '../moves/refusals.ts';
import { statesOf } from '../seen.ts';
import { by } from '../starting-states.ts';
import { refusalOf } from '../world.ts';
import { debts } from './actions.ts';
import type { Invariant } from './facts.ts';
import { hasNews } from './news.ts';
import { isSpent } from './quotas.ts';

const lines = (list: readonly (readonly unknown[])[]): string => list.map((line) => line.join(' ')).join('; ');

/** The views show the findings, holds, reviews, recommendations and the moderator's access that the ledger expects. */
export const moderationIsRight: Invariant = function* ({ now, ledger: { moderation, latest } }) {
  const { findings, holds, moderator_reviews, recommendations, moderator } = now.view();
  const pairs = {
    findings: [
      lines(findings.map((one) => [one.finding_id, one.raised_by, one.status, one.blocking])),
      lines(moderation.findings.map((one, index) => [`f_${index + 1}`, one.raisedBy, one.status, one.isBlocking])),
    ],
    holds: [
      lines(holds.map((one) => [one.hold_id, one.finding_id, one.status, one.reason, one.released?.cause ?? '-'])),
      lines(
        moderation.holds.map(({ finding, reason, cause }, index) => {
          return [`h_${index + 1}`, finding, cause === null ? 'ACTIVE' : 'RELEASED', reason, cause ?? '-'];
        }),
      ),
    ],
    reviews: [
      lines(moderator_reviews.map((one) => [one.revision_id, one.verdict, one.outdated, one.override_reason !== null])),
      lines(
        Object.entries(moderation.verdicts).map(([id, { verdict, isOverridden, isSentBack }]) => {
          return [id, verdict, id !== latest?.id || isSentBack, isOverridden];
        }),
      ),
    ],
    recommendations: [
      lines(recommendations.map((one) => [one.recommendation_id, one.answer?.decision ?? '-'])),
      lines(moderation.recommendations.map((decision, index) => [`rec_${index + 1}`, decision ?? '-'])),
    ],
    access: [
      [moderator.active, moderator.stopped, moderator.entitled, moderator.permissions.toSorted()].join(),
      [
        canAct(moderation),
        moderation.isStopped,
        moderation.isEntitled,
        moderation.isRevoked ? [] : moderation.permissions.toSorted(),
      ].join(),
    ],
  };
  for (const [what, [shown, due]] of Object.entries(pairs))
    if (shown !== due) yield `the ${what} shown are ${shown}; ${due} are due`;
};

/** A finding has at most one active hold, a closed finding has no hold, and every role sees the same holds. */
export const holdsAreRight: Invariant = function* ({ now }) {
  const { holds, findings } = now.view();
  const active = holds.filter(({ status }) => status === 'ACTIVE');
  for (const { hold_id, finding_id } of active) {
    const finding = findings.find((one) => one.finding_id === finding_id);
    if (finding?.status !== 'OPEN' && finding?.status !== 'RESPONDED')
      yield `${hold_id} is active on ${finding_id}, which is ${finding?.status}`;
    if (active.some((other) => other.finding_id === finding_id && other.hold_id !== hold_id))
      yield `${finding_id} has two active holds`;
  }
  const ids = active.map(({ hold_id }) => hold_id).join();
  for (const { role, holds: shown } of statesOf(now))
    if (shown.map(({ hold_id }) => hold_id).join() !== ids) yield `the state of ${role} shows other holds`;
};

export const nothingPassesAHold: Invariant = function* ({ before, call }) {
  const [hold] = before.view().holds.filter(({ status }) => status === 'ACTIVE');
  if (hold && /^(approveContract|authorize)$/.test(call.name)) yield `${call.name} passed ${hold.hold_id}`;
};

/**
 * Every call of a moderator without access is refused with the code that `shutOutWith` returns. A moderator with access
 * can read.
 */
export const shutOutIsShutOut: Invariant = function* ({ world, now, ledger: { moderation } }) {
  const due = shutOutWith(moderation);
  if (now.moderator().refused !== due) yield `the moderator reads with ${now.moderator().refused}; ${due} is due`;
  if (due === null) return;
  for (const tool of [...Object.keys(MODERATOR_TOOLS), 'post_turn', 'no_such_tool']) {
    const code = refusalOf(world, by('moderator', tool))?.code;
    if (code !== due) yield `${tool} comes to ${code}; ${due} is due`;
  }
};

/** The moderator's instruction names its obligations first, then the acknowledgement of new events, then waiting. */
export const moderatorIsTold: Invariant = function* ({ world, now, ledger }) {
  const seen = now.moderator();
  if (seen.refused !== null) return;
  const { state, page } = seen;
  const { tool } = state.instruction;
  if (state.status === 'ENDED') return;
  const works = (tool: string | undefined): boolean =>
    !isSpent(now, 'moderator') &&
    (state.status === 'ACTIVE' || tool === undefined || (state.status === 'PAUSED' && tool === 'resolve_finding'));
  const [doable] = state.pending_actions.filter((action) => works(action.tool));
  const isNew = hasNews(world, page.events);
  if (doable && tool !== (doable.tool ?? 'complete_action'))
    yield `the moderator is told ${tool}; ${doable.action_id} is due`;
  if (!doable && isNew !== (tool === 'ack_events'))
    yield `the moderator is told ${tool} with ${ledger.moderation.acked} of ${page.head} taken in`;
  if (tool !== 'wait_for_activity') return;
  for (const debt of debts(now, ledger)) {
    const [type, who] = debt.split(' ');
    if (who !== 'moderator' || !works(type === 'ASSESS_RESPONSE' ? 'resolve_finding' : 'submit_contract_review'))
      continue;
    yield `the moderator waits and owes ${debt}`;
  }
};

/** `get_moderator_status` shows the same open records of the moderator as the other views. */
export const statusIsRight: Invariant = function* ({ now, ledger: { moderation } }) {
  const seen = now.moderator();
  if (seen.refused !== null) return;
  const { status, state, page } = seen;
  const asked = now.view().interventions.filter(({ from }) => from === 'moderator');
  const waiting = asked.filter(({ responses }) => responses.some((one) => /^(OPEN|ACKNOWLEDGED)$/.test(one.status)));
  const raised = now.view().findings.filter(({ raised_by }) => raised_by === 'moderator');
  const open = raised.filter((one) => one.status === 'OPEN' || one.status === 'RESPONDED');
  const pairs: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
    questions: [status.open_questions.map((one) => one.intervention_id), waiting.map((one) => one.intervention_id)],
    findings: [status.open_findings.map((one) => one.finding_id), open.map((one) => one.finding_id)],
    holds: [status.active_holds.map((one) => one.hold_id), now.session().holds.map((one) => one.hold_id)],
    permissions: [status.permissions.toSorted(), moderation.permissions.toSorted()],
    actions: [status.pending_actions.map((one) => one.action_id), state.pending_actions.map((one) => one.action_id)],
    cursors: [
      [status.acked_cursor, status.head],
      [moderation.acked, page.head],
    ],
  };
  for (const [what, [shown, due]] of Object.entries(pairs))
    if (shown?.join() !== due?.join())
      yield `get_moderator_status shows the ${what} ${shown?.join()}; ${due?.join()} due`;
};
