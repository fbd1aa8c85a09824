import { BUILDERS, otherBuilder } from '../../../kernel/roles.ts';
import { firstWords } from '../../../kernel/text/first-words.ts';
import type { Finding, FindingResponse } from '../../findings/record.ts';
import { closerOf, openBlockingFindings, rejectionOf } from '../../findings/rules.ts';
import type { SessionState } from '../../state.ts';
import { callsDue } from '../../tasks/due.ts';
import { type DefectDispute, defectDisputes } from '../../verify/disputes.ts';
import { MAX_SIDE_CHARS, type OwnerWait, saidBy, waitOf } from './owner-wait.ts';

/**
 * The tasks for disputes of the agents that the owner can end: a rejected blocking finding that its raiser has not
 * closed although it has written something since the last response, and an open defect whose assignee says in a finding
 * that the other builder must fix it. The agents can end most disputes themselves, so a task blocks only if each
 * rejected finding is such a dispute and the builders have no other calls than those about disputes.
 * @param others the owner's other tasks; their records get no second task
 */
export function disputeWaits(state: SessionState, others: readonly OwnerWait[]): OwnerWait[] {
  if (state.findings.open.length === 0) return [];
  const defects = defectDisputes(state);
  const left = new Set([...others.map(({ record }) => record.id), ...defects.map(({ finding }) => finding.finding_id)]);
  const rejected = openBlockingFindings(state.findings).flatMap((finding) => {
    const rejection = left.has(finding.finding_id) ? undefined : rejectionOf(finding);
    return rejection && closerOf(state, finding) !== 'owner' ? [{ finding, rejection }] : [];
  });
  const findings = rejected.filter(({ finding }) => isLeftOpen(state, finding));
  if (findings.length === 0 && defects.length === 0) return [];
  const blocking =
    findings.length === rejected.length &&
    isAllElseDone(
      state,
      new Set([
        ...[...findings, ...defects].map(({ finding }) => finding.finding_id),
        ...defects.map(({ defect }) => defect.defect_id),
      ]),
    );
  return [
    ...findings.map((dispute) => findingWait(dispute, blocking)),
    ...oldestOfEach(defects).map((dispute) => defectWait(dispute, blocking)),
  ];
}

/**
 * Whether the agent that raised an open finding has written something since the last response. Until then, its next
 * call may close the finding.
 */
const isLeftOpen = ({ times }: SessionState, { raised_by, response, raised_at }: Finding): boolean =>
  (times.wroteAt[raised_by] ?? '') > (response?.responded_at ?? raised_at);

/** Of several findings that dispute the same defect, only the oldest one. */
const oldestOfEach = (disputes: readonly DefectDispute[]): DefectDispute[] =>
  disputes.filter(({ defect }, index) => disputes.findIndex((other) => other.defect === defect) === index);

interface Rejected {
  readonly finding: Finding;
  readonly rejection: FindingResponse;
}

function findingWait({ finding, rejection }: Rejected, blocking: boolean): OwnerWait {
  const { finding_id: id, raised_by } = finding;
  const record = { type: 'finding', id };
  const text = `${rejection.by} rejected finding ${id}, and ${raised_by} has not closed it: read both sides, then override the finding, or direct the agents.`;
  return waitOf(
    { kind: 'DISPUTE', record, operation: 'overrideFinding', text, since: rejection.responded_at },
    { payload: { finding_id: id }, blocking, ...saidByBoth(finding) },
  );
}

function defectWait({ defect, finding }: DefectDispute, blocking: boolean): OwnerWait {
  const { defect_id: id, assigned_to } = defect;
  const record = { type: 'defect', id };
  const role = otherBuilder(assigned_to);
  const text = `${assigned_to} says in ${finding.finding_id} that ${role} has to fix ${id}: assign it to ${role}, waive it, or override ${finding.finding_id}.`;
  return waitOf(
    { kind: 'DISPUTE', record, operation: 'reassignDefect', text, since: finding.raised_at },
    { payload: { defect_id: id, role }, blocking, ...saidByBoth(finding) },
  );
}

/** The text of a finding, then the answers to it. */
export function saidByBoth({ raised_by, text, response, other_response }: Finding): Pick<OwnerWait, 'from' | 'said'> {
  const answers = [other_response, response].flatMap((given) => (given ? [answerText(given)] : []));
  if (answers.length === 0) return saidBy(raised_by, text);
  return saidBy(raised_by, [text ?? '', ...answers].map((side) => firstWords(side, MAX_SIDE_CHARS)).join('\n\n'));
}

const answerText = ({ by, decision, response }: FindingResponse): string =>
  `${by} ${decision === 'REJECT' ? 'rejects' : 'accepts'}: ${response ?? ''}`;

/** Whether each call that a builder of the ACTIVE session can make is about one of these findings or defects. */
function isAllElseDone(state: SessionState, disputed: ReadonlySet<string>): boolean {
  if (state.profile.status !== 'ACTIVE') return false;
  return BUILDERS.every((builder) => callsDue(state, builder).every(({ record }) => disputed.has(record.id)));
}
