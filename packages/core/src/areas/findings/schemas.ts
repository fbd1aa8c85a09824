import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { Builder } from '../../kernel/roles.ts';
import { viewEvidenceRefs } from '../evidence.ts';
import { AgentRole, FindingId, Reason, RevisionId } from '../fields.ts';
import { pageCall } from '../listing.ts';
import { pickOf } from '../pick.ts';
import { reviewEvents } from '../reviews/events.ts';
import type { SessionState } from '../state.ts';
import { storedData } from '../stored-data.ts';
import { findingEvents } from './events.ts';
import { AWAITING, type Finding, type FindingResponse, FindingStatus, FindingView, ResponseView } from './record.ts';
import { awaitedFor, findingOf, openCaveats } from './rules.ts';

/** The answer of a call that changes a finding. The texts are left out, because the caller has sent them. */
export const FindingChange = z.strictObject({
  finding_id: FindingId,
  status: FindingStatus,
  blocking: z.boolean(),
  revision_id: RevisionId.nullable(),
  ...AWAITING,
});
documented.add(FindingChange, { id: 'FindingChange' });
export const FindingResult = z.strictObject({ finding: FindingChange }).register(documented, { id: 'FindingResult' });
export const FindingReasonInput = z
  .strictObject({ finding_id: FindingId, reason: Reason })
  .register(documented, { id: 'FindingReasonInput' });

const pickChange = pickOf(FindingChange);
const pickResponse = pickOf(ResponseView);
const pickFinding = pickOf(FindingView);

export const viewFindingChange = (state: SessionState, id: string) => {
  const finding = findingOf(state.findings, id);
  return pickChange({ ...finding, ...awaitingIn(state, finding) });
};

const awaitingIn = ({ election }: SessionState, finding: Finding): { awaiting?: Builder[] } => {
  const awaiting = awaitedFor(finding, election.contract_author);
  return awaiting.length === 0 ? {} : { awaiting };
};

const viewParts = (state: SessionState, finding: Finding) => {
  const { response, other_response } = finding;
  return pickFinding({
    ...finding,
    response: response && pickResponse(response),
    ...(other_response && { other_response: pickResponse(other_response) }),
    ...awaitingIn(state, finding),
  });
};

export const viewFinding = (state: SessionState, finding: Finding) =>
  viewParts(state, { ...finding, evidence: viewEvidenceRefs(finding.evidence) });

/**
 * Numbers of the stored events that contain the texts of a withdrawn finding. Empty for any other finding, whose texts
 * are in the state.
 */
export const findingSeqs = ({ text, seq, response, other_response }: Finding): readonly number[] =>
  text === null ? [seq, ...[response, other_response].flatMap((given) => given?.seq ?? [])] : [];

/**
 * A finding with its texts and its evidence, even if the finding is withdrawn.
 * @param loaded the events of {@link findingSeqs}
 */
export const viewWholeFinding = (state: SessionState, finding: Finding, loaded: readonly LoggedEvent[]) =>
  viewParts(state, finding.text === null ? withTexts(finding, loaded) : finding);

function withTexts(finding: Finding, loaded: readonly LoggedEvent[]): Finding {
  const {
    text,
    moderated,
    evidence = [],
  } = finding.caveat ? storedCaveat(finding, loaded) : storedData(loaded, finding.seq, findingEvents['finding.raised']);
  const said = (given: FindingResponse) => ({
    ...given,
    response: storedData(loaded, given.seq, findingEvents['finding.responded']).response,
  });
  const { response, other_response } = finding;
  return {
    ...finding,
    ...moderated,
    text,
    evidence,
    response: response && said(response),
    ...(other_response && { other_response: said(other_response) }),
  };
}

const storedCaveat = ({ finding_id, seq }: Finding, loaded: readonly LoggedEvent[]) => {
  const { findings = [], caveats } = storedData(loaded, seq, reviewEvents['review.submitted']);
  return { text: caveats[findings.indexOf(finding_id)] ?? '', moderated: undefined, evidence: undefined };
};

/** An open caveat of an approving review, and the other builder's answer to this caveat. */
export const CaveatView = z.strictObject({
  finding_id: FindingId,
  by: AgentRole,
  revision_id: RevisionId.nullable(),
  text: z.string().nullable(),
  answer: ResponseView.nullable().describe('Null while the caveat is unanswered.'),
});
documented.add(CaveatView, { id: 'Caveat' });

const pickCaveat = pickOf(CaveatView);

export const listOpenCaveats = (lists: BoundedLists, { findings }: SessionState) =>
  lists.list({
    records: openCaveats(findings),
    view: (caveat) =>
      pickCaveat({ ...caveat, by: caveat.raised_by, answer: caveat.response && pickResponse(caveat.response) }),
    how: () => pageCall('records', 0, 'type: "finding"'),
  });
