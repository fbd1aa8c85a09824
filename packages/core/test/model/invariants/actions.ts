import type { Ledger } from '../ledger.ts';
import { awaitedFor, canAct, isObjected, isOpen } from '../moderation.ts';
import { type Action, BUILDERS, isLight, type Seen, statesOf } from '../seen.ts';
import { preflightDue } from './certification.ts';
import { bagsDiffer, type Facts, type Invariant } from './facts.ts';
import { isSpent } from './quotas.ts';

/** Derives the obligations of the agents from the records in the answers. Yields each as `<type> <role> <record>`. */
export function* debts(now: Seen, ledger: Ledger): Generator<string> {
  const { status, phase, contract_author: author } = now.session();
  if (status === 'ENDED') return;
  for (const { intervention_id, type, responses } of now.view().interventions) {
    if (type !== 'DIRECTIVE') continue;
    for (const response of responses)
      if (response.status === 'OPEN') yield `ACK_DIRECTIVE ${response.role} ${intervention_id}`;
  }
  const findings = now.findings();
  for (const [index, finding] of ledger.moderation.findings.entries())
    for (const builder of awaitedFor(finding, author)) yield `RESPOND_FINDING ${builder} f_${index + 1}`;
  const isBlocked = findings.some(({ blocking, status: at }) => blocking && (at === 'OPEN' || at === 'RESPONDED'));
  const isRejected = BUILDERS.some((builder) => ledger.reviews[builder]?.verdict === 'REQUEST_CHANGES');
  const isUnderWay = phase === 'CONTRACT' && ledger.latest !== null && !ledger.isSentBack;
  const isReviewable =
    isUnderWay && !isBlocked && !isRejected && !isObjected(ledger.moderation, ledger.latest?.id ?? '');
  const isMapped = ledger.latest !== null && [...preflightDue(now, ledger.latest.id, '')].length === 0;
  if (isReviewable && now.plan().validation_errors.length === 0) {
    const missing: string[] = BUILDERS.filter((builder) => !ledger.reviews[builder] && builder !== author);
    if (mayReview(ledger)) missing.push('moderator');
    // The author reviews last. A moderator that has used up its quota or left events unread does not delay the author.
    const isAwaited = missing.some(
      (reviewer) => reviewer !== 'moderator' || (!isSpent(now, 'moderator') && isAttentive(now)),
    );
    if (author && !ledger.reviews[author] && isMapped && !isAwaited) missing.push(author);
    for (const reviewer of missing) yield `REVIEW_REVISION ${reviewer} ${ledger.latest?.id}`;
  }
  if (canAct(ledger.moderation))
    for (const [index, finding] of ledger.moderation.findings.entries()) {
      const isAnswered = Object.keys(finding.responses).length > 0 && awaitedFor(finding, author).length === 0;
      if (finding.raisedBy === 'moderator' && isOpen(finding) && isAnswered)
        yield `ASSESS_RESPONSE moderator f_${index + 1}`;
    }
  for (const role of BUILDERS) {
    if (phase === 'VERIFY') {
      const tasks = tasksOf(now).flatMap(({ id, assignee }) => (assignee === role ? [`BUILD_TASK ${role} ${id}`] : []));
      yield* tasks;
      // A builder has to build until all its tasks are completed. Without tasks, the obligation stays.
      if (tasks.length === 0 || tasks.some((task) => !ledger.ticked.has(task))) yield `BEGIN_BUILD ${role} `;
    }
    if (phase !== 'READINESS' || isLight(now)) continue;
    const { receipts_missing, readiness } = now.readiness(role);
    if (receipts_missing.length > 0) yield `CONFIRM_RECEIPTS ${role} `;
    else if (!readiness.some(({ by }) => by === role)) yield `SUBMIT_READINESS ${role} `;
    const reports = now.view().readiness;
    const areReady = reports.filter(({ verdict }) => verdict === 'READY_TO_CODE').length === 2;
    const others = reports.filter(({ by }) => by !== role).flatMap(({ answers }) => answers);
    if (areReady && others.some(({ check }) => check === 'UNCHECKED')) yield `CONFIRM_ANSWERS ${role} `;
  }
}

/** Whether the moderator has access, has acknowledged events, and has at most 25 events left to acknowledge. */
function isAttentive(now: Seen): boolean {
  const moderator = now.moderator();
  return moderator.refused === null && moderator.page.acked_cursor > 0 && moderator.page.events.length <= 25;
}

interface Task {
  readonly id: string;
  readonly assignee: string;
}

const tasksOf = (now: Seen): Task[] => {
  const { contract } = now.plan();
  const tasks: unknown = Object(contract).tasks;
  return Array.isArray(tasks) ? tasks : [];
};

/** Whether the moderator has access, has the permission to review, and has not reviewed the revision under review. */
function mayReview({ moderation, latest }: Ledger): boolean {
  const given = moderation.verdicts[latest?.id ?? ''];
  const isReviewed = given !== undefined && !given.isSentBack;
  return canAct(moderation) && moderation.permissions.includes('review') && !isReviewed;
}

const RECORDS: Readonly<Record<string, string>> = {
  ACK_DIRECTIVE: 'intervention_id',
  RESPOND_FINDING: 'finding_id',
  ASSESS_RESPONSE: 'finding_id',
  REVIEW_REVISION: 'revision_id',
};

const nameOf = ({ type, due_to, payload, about }: Action): string => {
  const member = RECORDS[type ?? ''];
  return `${type} ${due_to} ${type === 'BUILD_TASK' ? about?.id : member ? String(payload?.[member]) : ''}`;
};

/**
 * The obligations whose actions an agent completed without fulfilling them. An obligation leaves this set when it is fulfilled,
 * becomes void, or begins again, for example after a new response.
 */
export function tickedAfter({ before, now, ledger, call }: Omit<Facts, 'world'>): ReadonlySet<string> {
  const ticked = new Set(ledger.ticked);
  const { action_id, finding_id } = call.input;
  if (call.name === 'respond_finding') ticked.delete(`ASSESS_RESPONSE moderator ${finding_id}`);
  const action = call.name === 'complete_action' && before.view().actions.find((one) => one.action_id === action_id);
  if (action) ticked.add(nameOf(action));
  const due = new Set(debts(now, ledger));
  return new Set([...ticked].filter((debt) => due.has(debt)));
}

/** Types of actions that this model does not derive: the owner's tasks, CHECK_ANSWER, and the actions after the build. */
const BEYOND = /^(OWNER_TASK|CHECK_ANSWER|DECLARE_HANDSHAKE|FIX_DEFECT|ADVISE_DEPLOYMENT)$/;

/** An action is open if and only if its obligation exists and no agent has completed the action. */
export const actionsMatchObligations: Invariant = function* ({ now, ledger }) {
  const open = now.view().actions.filter(({ status }) => status !== 'COMPLETED');
  const derived = open.filter(({ type }) => !BEYOND.test(type)).map(nameOf);
  const due = [...debts(now, ledger)].filter((debt) => !ledger.ticked.has(debt));
  yield* bagsDiffer('the action', derived, due);
  const checks = open.filter(({ type }) => type === 'CHECK_ANSWER').map(({ about }) => String(about?.id));
  yield* bagsDiffer('the check', checks, ledger.moderation.unchecked);
  for (const { role, pending_actions } of statesOf(now)) {
    // State views do not list the tasks of the build.
    const listed = open.filter(({ due_to, type }) => due_to === role && type !== 'BUILD_TASK');
    const own = listed.map(({ action_id }) => action_id);
    const shown = pending_actions.map(({ action_id }) => action_id).join();
    if (shown !== own.join()) yield `${role} is shown the actions ${shown}`;
  }
};
