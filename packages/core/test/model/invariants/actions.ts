import type { Ledger } from '../ledger.ts';
import { type Action, BUILDERS, type Seen } from '../seen.ts';
import { preflightDue } from './certification.ts';
import { bagsDiffer, type Invariant } from './facts.ts';

/** What the agents owe, worked out from the records that the wire shows: `<type> <who> <record>`. */
export function* debts(now: Seen, ledger: Ledger): Generator<string> {
  const { status, phase, contract_author: author } = now.session();
  if (status === 'ENDED') return;
  for (const { intervention_id, type, responses } of now.view().interventions) {
    if (type !== 'DIRECTIVE') continue;
    for (const response of responses)
      if (response.status === 'OPEN') yield `ACK_DIRECTIVE ${response.role} ${intervention_id}`;
  }
  const findings = now.findings();
  for (const finding of findings)
    if (author && finding.status === 'OPEN') yield `RESPOND_FINDING ${author} ${finding.finding_id}`;
  const isBlocked = findings.some(({ blocking, status: at }) => blocking && (at === 'OPEN' || at === 'RESPONDED'));
  const isRejected = BUILDERS.some((builder) => ledger.reviews[builder]?.verdict === 'REQUEST_CHANGES');
  const isReviewable =
    phase === 'CONTRACT' && ledger.latest !== null && !ledger.isSentBack && !isBlocked && !isRejected;
  const isMapped = ledger.latest !== null && [...preflightDue(now, ledger.latest.id, '')].length === 0;
  const unreviewed = BUILDERS.filter((builder) => !ledger.reviews[builder] && (isMapped || builder !== author));
  if (isReviewable && now.plan().validation_errors.length === 0)
    for (const reviewer of [...unreviewed, 'moderator']) yield `REVIEW_REVISION ${reviewer} ${ledger.latest?.id}`;
  for (const role of BUILDERS) {
    if (phase === 'VERIFY') yield `BEGIN_BUILD ${role} `;
    if (phase !== 'READINESS') continue;
    const { receipts_missing, readiness } = now.readiness(role);
    if (receipts_missing.length > 0) yield `CONFIRM_RECEIPTS ${role} `;
    else if (!readiness.some(({ by }) => by === role)) yield `SUBMIT_READINESS ${role} `;
  }
}

const RECORDS: Readonly<Record<string, string>> = {
  ACK_DIRECTIVE: 'intervention_id',
  RESPOND_FINDING: 'finding_id',
  REVIEW_REVISION: 'revision_id',
};

const nameOf = ({ type, due_to, payload }: Action): string =>
  `${type} ${due_to} ${RECORDS[type] ? String(payload?.[RECORDS[type]]) : ''}`;

/** The owner's tasks stand for nothing else; what comes after the build is not the model's. */
const BEYOND = /^(OWNER_TASK|DECLARE_HANDSHAKE|FIX_DEFECT)$/;

/** An action is open exactly while its obligation stands and nobody ticked it off. */
export const actionsMatchObligations: Invariant = function* ({ now, ledger }) {
  const derived = now.view().actions.filter(({ type }) => !BEYOND.test(type));
  const open = derived.filter(({ status }) => status !== 'COMPLETED').map(nameOf);
  const ticked = derived.filter(({ action_id }) => ledger.completed.has(action_id)).map(nameOf);
  const due = [...debts(now, ledger)];
  yield* bagsDiffer(
    'the action',
    open,
    due.filter((debt) => open.includes(debt) || !ticked.includes(debt)),
  );
  for (const role of BUILDERS) {
    const own = now.view().actions.filter(({ due_to, status }) => due_to === role && status !== 'COMPLETED');
    const shown = now
      .state(role)
      .pending_actions.map(({ action_id }) => action_id)
      .join();
    if (shown !== own.map(({ action_id }) => action_id).join()) yield `${role} is shown the actions ${shown}`;
  }
};
