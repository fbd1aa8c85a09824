import { entries, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import type { Action } from '../actions/schemas.ts';
import type { SessionDraft } from '../catalog.ts';
import { awaitedFor, openFindings, responseCall } from '../findings/rules.ts';
import { debtsOf } from '../interventions/rules.ts';
import { receiptsMissing } from '../manifest/rules.ts';
import { reportToCheck } from '../readiness/rules.ts';
import { howToRead, moderatorReviewCall, reviewCall, reviewersDue } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { buildObligations, reportObligations, taskObligations } from './build-obligations.ts';
import { moderatorObligations } from './moderator-obligations.ts';
import type { Obligation } from './obligation.ts';

/** All obligations of the agents in this state. Their texts contain ids, but no text of an agent. */
function obligationsOf(state: SessionState): Obligation[] {
  if (state.profile.status === 'ENDED') return [];
  return [
    ...directiveObligations(state),
    ...findingObligations(state),
    ...reviewObligations(state),
    ...readinessObligations(state),
    ...buildObligations(state),
    ...defectObligations(state),
    ...reportObligations(state),
    ...moderatorObligations(state),
    ...taskObligations(state),
  ];
}

function* directiveObligations({ interventions }: SessionState): Generator<Obligation> {
  for (const { intervention, target } of debtsOf(interventions)) {
    if (intervention.type !== 'DIRECTIVE') continue;
    const { intervention_id: id } = intervention;
    const text = `Acknowledge directive ${id} of the ${intervention.from}.`;
    yield {
      key: `ACK_DIRECTIVE ${target} ${id}`,
      type: 'ACK_DIRECTIVE',
      due_to: target,
      text,
      tool: 'ack_intervention',
      payload: { intervention_id: id },
    };
  }
}

/** The obligations to answer open findings, including findings that do not block. */
function* findingObligations({ findings, election: { contract_author: author } }: SessionState): Generator<Obligation> {
  for (const finding of openFindings(findings)) {
    const { finding_id: id } = finding;
    for (const due_to of awaitedFor(finding, author))
      yield {
        key: `RESPOND_FINDING ${due_to} ${id}`,
        type: 'RESPOND_FINDING',
        due_to,
        text: `Answer finding ${id}: accept it and correct the contract, or reject it with your reason.`,
        ...responseCall(id),
      };
  }
}

function* reviewObligations(state: SessionState): Generator<Obligation> {
  const { latest } = state.contract;
  if (!latest) return;
  const { revision_id: id } = latest;
  for (const due_to of reviewersDue(state)) {
    yield {
      key: `REVIEW_REVISION ${due_to} ${id}`,
      type: 'REVIEW_REVISION',
      due_to,
      text: `Review ${id}: read ${howToRead(latest, due_to === 'moderator' ? undefined : state.reviews[due_to])}, then give your verdict on its content_hash.`,
      ...(due_to === 'moderator' ? moderatorReviewCall(latest) : reviewCall(latest)),
    };
  }
}

/**
 * The obligations in READINESS: to confirm the artifacts, then to report readiness, then to check the other builder's
 * answers.
 */
function* readinessObligations(state: SessionState): Generator<Obligation> {
  const { manifest, readiness, profile } = state;
  const { current } = manifest;
  if (!current || profile.phase !== 'READINESS') return;
  yield* checkObligations(state);
  const { manifest_id, revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version } = current;
  for (const builder of BUILDERS) {
    if (receiptsMissing(manifest, builder).length > 0) {
      yield {
        key: `CONFIRM_RECEIPTS ${builder} ${manifest_id}`,
        type: 'CONFIRM_RECEIPTS',
        due_to: builder,
        text: `Confirm the artifacts of manifest ${manifest_id} that list_artifacts shows: fetch those whose content you have not read, then confirm all of them with confirm_receipt.`,
        tool: 'confirm_receipt',
        payload: { filename: '<a filename of list_artifacts>', sha256: '<sha256 of the content you fetched>' },
      };
    } else if (!readiness.reports[builder]) {
      const named = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
      yield {
        key: `SUBMIT_READINESS ${builder} ${manifest_id}`,
        type: 'SUBMIT_READINESS',
        due_to: builder,
        text: `Answer the questions of get_readiness_questions from your handoff, and report your readiness for manifest ${manifest_id}.`,
        tool: 'submit_readiness',
        payload: { ...named, verdict: '<READY_TO_CODE or BLOCKED>', answers: '<one answer per question>' },
      };
    }
  }
}

/**
 * The obligation of each builder to confirm or dispute the other builder's readiness answers. It begins when both
 * builders are READY_TO_CODE.
 */
function* checkObligations(state: SessionState): Generator<Obligation> {
  for (const builder of BUILDERS) {
    const report = reportToCheck(state, builder);
    if (!report) continue;
    yield {
      key: `CONFIRM_ANSWERS ${builder} ${report.seq}`,
      type: 'CONFIRM_ANSWERS',
      due_to: builder,
      text: `Read the answers of ${report.by} in get_readiness_questions. Dispute those that do not fit the contract or your side with submit_finding (target: the question_id), then complete this action without a note, which confirms all other answers.`,
      tool: 'complete_action',
    };
  }
}

/**
 * The obligation to fix a defect. It ends when the defect is fixed or waived, and when a new manifest replaces the
 * manifest whose verification found the defect.
 */
function* defectObligations({ verify }: SessionState): Generator<Obligation> {
  for (const { defect_id, status, assigned_to, failed_seq, scenario_id } of valuesOf(verify.defects)) {
    if (status !== 'OPEN') continue;
    yield {
      key: `FIX_DEFECT ${assigned_to} ${defect_id} ${failed_seq}`,
      type: 'FIX_DEFECT',
      due_to: assigned_to,
      text: `Fix defect ${defect_id} of ${scenario_id}, declare the new commit, then mark the defect fixed.`,
      tool: 'verify_submit_fix',
      payload: { defect_id, note: '<what you changed>' },
    };
  }
}

/**
 * The events that open an action for each new obligation, and that complete the actions whose obligations have ended.
 */
export function settleObligations(state: SessionState): SessionDraft[] {
  const owed = obligationsOf(state);
  const { inForce, all } = state.actions;
  const fresh = owed.filter(({ key }) => lookUp(inForce, key) === undefined);
  const opened = fresh.map((obligation, index) => openedDraft(obligation, all.size + index + 1));
  const keys = new Set(owed.map(({ key }) => key));
  const met = entries(inForce).flatMap(([key, id]) => (keys.has(key) ? [] : (lookUp(all, id) ?? [])));
  return [...opened, ...met.map(fulfilledDraft)];
}

function openedDraft({ key, type, due_to, text, tool, payload, about }: Obligation, number: number): SessionDraft {
  const action_id = `act_${number}`;
  const data = {
    action_id,
    due_to,
    type,
    text,
    tool,
    payload: tool === 'complete_action' ? { action_id, ...payload } : payload && { ...payload },
    about,
    obligation: key,
  };
  return { kind: 'action.opened', data, actor: 'system' };
}

const fulfilledDraft = ({ action_id, due_to }: Action): SessionDraft => ({
  kind: 'action.fulfilled',
  data: { action_id, due_to },
  actor: 'system',
});
