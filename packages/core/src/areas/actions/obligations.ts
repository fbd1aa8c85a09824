import { entries, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { type Agent, BUILDERS } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import type { SessionDraft } from '../catalog.ts';
import { awaitedFor, openFindings, resolutionCall, responseCall } from '../findings/rules.ts';
import { debtsOf } from '../interventions/rules.ts';
import { receiptsMissing } from '../manifest/rules.ts';
import { reportToCheck } from '../readiness/rules.ts';
import { moderatorReviewCall, reviewCall, reviewersDue } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import type { ACTION_TYPES } from './events.ts';
import type { Action } from './state.ts';

/**
 * Something that an agent must do now. `key` names type, subject and cause, so that one obligation opens one action.
 */
interface Obligation {
  readonly key: string;
  readonly type: (typeof ACTION_TYPES)[number];
  readonly dueTo: Agent;
  readonly text: string;
  /** Absent if no call fulfils the obligation. */
  readonly tool?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** All obligations of the agents in this state. Texts are built from ids only. */
function obligationsOf(state: SessionState): Obligation[] {
  if (state.profile.status === 'ENDED') return [];
  return [
    ...directiveObligations(state),
    ...findingObligations(state),
    ...reviewObligations(state),
    ...readinessObligations(state),
    ...buildObligations(state),
    ...defectObligations(state),
    ...moderatorObligations(state),
  ];
}

function* directiveObligations({ interventions }: SessionState): Generator<Obligation> {
  for (const { intervention, target } of debtsOf(interventions)) {
    if (intervention.type !== 'DIRECTIVE') continue;
    const { interventionId: id } = intervention;
    const text = `Acknowledge directive ${id} of the ${intervention.from}.`;
    yield {
      key: `ACK_DIRECTIVE ${target} ${id}`,
      type: 'ACK_DIRECTIVE',
      dueTo: target,
      text,
      tool: 'ack_intervention',
      payload: { intervention_id: id },
    };
  }
}

/** Each builder that has yet to answer a finding must do so, whether the finding blocks or not. */
function* findingObligations({ findings, election: { author } }: SessionState): Generator<Obligation> {
  for (const finding of openFindings(findings)) {
    const { findingId: id } = finding;
    for (const dueTo of awaitedFor(finding, author))
      yield {
        key: `RESPOND_FINDING ${dueTo} ${id}`,
        type: 'RESPOND_FINDING',
        dueTo,
        text: `Answer finding ${id}: accept it and mend the contract, or reject it with your reason.`,
        ...responseCall(id),
      };
  }
}

/** The due reviews of the latest revision. */
function* reviewObligations(state: SessionState): Generator<Obligation> {
  const { latest } = state.contract;
  if (!latest) return;
  const { revisionId: id } = latest;
  for (const dueTo of reviewersDue(state)) {
    yield {
      key: `REVIEW_REVISION ${dueTo} ${id}`,
      type: 'REVIEW_REVISION',
      dueTo,
      text: `Review ${id}: read get_final_plan, then give your verdict on exactly its hash.`,
      ...(dueTo === 'moderator' ? moderatorReviewCall(latest) : reviewCall(latest)),
    };
  }
}

/** With a frozen manifest: first the receipts, then the readiness report. */
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
        dueTo: builder,
        text: `Fetch every artifact that list_artifacts shows of manifest ${manifest_id}, and confirm all in one call, the further receipts in others.`,
        tool: 'confirm_receipt',
        payload: { filename: '<a filename of list_artifacts>', sha256: '<sha256 of the content you fetched>' },
      };
    } else if (!readiness.reports[builder]) {
      const named = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
      yield {
        key: `SUBMIT_READINESS ${builder} ${manifest_id}`,
        type: 'SUBMIT_READINESS',
        dueTo: builder,
        text: `Answer get_readiness_questions from your handoff and report on manifest ${manifest_id}.`,
        tool: 'submit_readiness',
        payload: { ...named, verdict: '<READY_TO_CODE or BLOCKED>', answers: '<one answer per question>' },
      };
    }
  }
}

/** Once both are ready, each builder confirms or disputes the answers of the other. */
function* checkObligations(state: SessionState): Generator<Obligation> {
  for (const builder of BUILDERS) {
    const report = reportToCheck(state, builder);
    if (!report) continue;
    yield {
      key: `CONFIRM_ANSWERS ${builder} ${report.seq}`,
      type: 'CONFIRM_ANSWERS',
      dueTo: builder,
      text: `Read the answers of ${report.by} in get_readiness_questions. Dispute those that do not fit the contract or your side with submit_finding (target: the question_id), then complete this action: it confirms all others.`,
      tool: 'complete_action',
    };
  }
}

/** The obligations to build and to declare the running commit. Both end with the builder's handshake. */
function* buildObligations({ manifest, verify }: SessionState): Generator<Obligation> {
  const { current, isBuildAuthorized } = manifest;
  if (!current || !isBuildAuthorized) return;
  for (const builder of BUILDERS) {
    if (verify.handshakes[builder]) continue;
    yield {
      key: `BEGIN_BUILD ${builder} ${current.manifest_id}`,
      type: 'BEGIN_BUILD',
      dueTo: builder,
      text: `The build of ${current.revision_id} is authorized: build what your handoff says.`,
    };
    yield {
      key: `DECLARE_HANDSHAKE ${builder} ${current.manifest_id}`,
      type: 'DECLARE_HANDSHAKE',
      dueTo: builder,
      text: 'Declare what runs on your side once it does; verify_next gives the call.',
      tool: 'verify_handshake',
    };
  }
}

/** The assignee must fix a defect until it is fixed, waived, or belongs to an earlier manifest. */
function* defectObligations({ verify }: SessionState): Generator<Obligation> {
  for (const { defectId, status, assignedTo, failedSeq, scenarioId } of valuesOf(verify.defects)) {
    if (status !== 'OPEN') continue;
    yield {
      key: `FIX_DEFECT ${assignedTo} ${defectId} ${failedSeq}`,
      type: 'FIX_DEFECT',
      dueTo: assignedTo,
      text: `Mend defect ${defectId} of ${scenarioId}, declare the new commit, then mark it fixed.`,
      tool: 'verify_submit_fix',
      payload: { defect_id: defectId, note: '<what you changed>' },
    };
  }
}

/** The moderator has no obligations while no moderator can act. */
function* moderatorObligations(state: SessionState): Generator<Obligation> {
  if (!hasModerator(state)) return;
  for (const finding of openFindings(state.findings)) {
    const { findingId: id, raisedBy, response } = finding;
    if (raisedBy !== 'moderator' || !response || awaitedFor(finding, state.election.author).length > 0) continue;
    yield {
      key: `ASSESS_RESPONSE moderator ${id} ${response.seq}`,
      type: 'ASSESS_RESPONSE',
      dueTo: 'moderator',
      text: `Read the response to your finding ${id} with get_moderator_findings, then resolve it if it satisfies you.`,
      ...resolutionCall(id),
    };
  }
}

/**
 * Returns the events that open an action for each new obligation and fulfil the actions of obligations that have
 * ended.
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

function openedDraft({ key, type, dueTo, text, tool, payload }: Obligation, number: number): SessionDraft {
  const action_id = `act_${number}`;
  const data = {
    action_id,
    due_to: dueTo,
    type,
    text,
    tool,
    payload: tool === 'complete_action' ? { action_id } : payload && { ...payload },
    obligation: key,
  };
  return { kind: 'action.opened', data, actor: 'system' };
}

const fulfilledDraft = ({ actionId, dueTo }: Action): SessionDraft => ({
  kind: 'action.fulfilled',
  data: { action_id: actionId, due_to: dueTo },
  actor: 'system',
});
