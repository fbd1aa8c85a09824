import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { Builder } from '../../kernel/roles.ts';
import { EvidenceRefs, viewEvidenceRefs } from '../evidence.ts';
import { AgentRole, At, BuilderRole, FindingId, Reason, RevisionId } from '../fields.ts';
import { pageCall } from '../listing.ts';
import { reviewEvents } from '../reviews/events.ts';
import type { SessionState } from '../state.ts';
import { storedData } from '../stored-data.ts';
import { FINDING_CATEGORIES, FINDING_KINDS, FINDING_SEVERITIES, findingEvents, RESPONSE_DECISIONS } from './events.ts';
import { awaitedFor, findingOf, openCaveats } from './rules.ts';
import { FINDING_STATUSES, type Finding, type FindingResponse } from './state.ts';

const FindingStatus = z.enum(FINDING_STATUSES).register(documented, { id: 'FindingStatus' });

const ResponseView = z.strictObject({
  by: BuilderRole,
  decision: z.enum(RESPONSE_DECISIONS),
  response: z.string().nullable(),
  fixed_in: RevisionId.nullable(),
  responded_at: At,
});
documented.add(ResponseView, { id: 'FindingResponse' });

const AWAITING = { awaiting: z.array(BuilderRole).optional().describe('Builders that must still answer the finding.') };

export const FindingView = z.strictObject({
  finding_id: FindingId,
  status: FindingStatus,
  raised_by: AgentRole,
  text: z.string().nullable().describe('Null in lists for a WITHDRAWN finding.'),
  kind: z
    .enum(FINDING_KINDS)
    .register(documented, { id: 'FindingKind' })
    .nullable()
    .describe('Null for findings of the moderator.'),
  category: z
    .enum(FINDING_CATEGORIES)
    .register(documented, { id: 'FindingCategory' })
    .nullable()
    .describe('Null for findings of builders, like severity and target_agents.'),
  severity: z.enum(FINDING_SEVERITIES).register(documented, { id: 'FindingSeverity' }).nullable(),
  resolution_criteria: z.string().nullable().describe('Condition on which the moderator resolves the finding.'),
  target_agents: z.array(BuilderRole).nullable(),
  blocking: z.boolean(),
  caveat: z.literal(true).optional().describe('Present if the finding is a caveat of a review that approves.'),
  target: z.string().nullable(),
  evidence: EvidenceRefs,
  revision_id: RevisionId.nullable().describe('The revision on which the finding was raised.'),
  response: ResponseView.nullable(),
  other_response: ResponseView.optional().describe('If both builders responded: the earlier response.'),
  ...AWAITING,
  override_reason: z.string().nullable().describe('Why the owner overrode the finding.'),
  raised_at: At,
});
documented.add(FindingView, { id: 'Finding' });

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

export const viewFindingChange = (state: SessionState, id: string): z.output<typeof FindingChange> => {
  const finding = findingOf(state.findings, id);
  const { findingId, status, isBlocking, revisionId } = finding;
  const change = { finding_id: findingId, status, blocking: isBlocking, revision_id: revisionId };
  return { ...change, ...viewAwaiting(state, finding) };
};

const viewAwaiting = ({ election }: SessionState, finding: Finding): { awaiting?: Builder[] } => {
  const awaiting = awaitedFor(finding, election.contract_author);
  return awaiting.length === 0 ? {} : { awaiting };
};

const viewResponse = ({ by, decision, response, fixedIn, at }: FindingResponse): z.output<typeof ResponseView> => ({
  by,
  decision,
  response,
  fixed_in: fixedIn,
  responded_at: at,
});

export const viewFinding = (state: SessionState, finding: Finding): z.output<typeof FindingView> => ({
  finding_id: finding.findingId,
  status: finding.status,
  raised_by: finding.raisedBy,
  text: finding.text,
  kind: finding.kind,
  category: finding.moderated?.category ?? null,
  severity: finding.moderated?.severity ?? null,
  resolution_criteria: finding.moderated?.resolution_criteria ?? null,
  target_agents: finding.moderated ? [...finding.moderated.target_agents] : null,
  blocking: finding.isBlocking,
  ...(finding.isCaveat && { caveat: true as const }),
  target: finding.target,
  evidence: viewEvidenceRefs(finding.evidence),
  revision_id: finding.revisionId,
  response: finding.response && viewResponse(finding.response),
  ...(finding.otherResponse && { other_response: viewResponse(finding.otherResponse) }),
  ...viewAwaiting(state, finding),
  override_reason: finding.overrideReason,
  raised_at: finding.at,
});

/**
 * Numbers of the stored events that contain the texts of a withdrawn finding. Empty for any other finding, whose texts
 * are in the state.
 */
export const findingSeqs = ({ text, seq, response, otherResponse }: Finding): readonly number[] =>
  text === null ? [seq, ...[response, otherResponse].flatMap((given) => given?.seq ?? [])] : [];

/**
 * A finding with its texts and its evidence, even if the finding is withdrawn.
 * @param loaded the events of {@link findingSeqs}
 */
export const viewWholeFinding = (
  state: SessionState,
  finding: Finding,
  loaded: readonly LoggedEvent[],
): z.output<typeof FindingView> => {
  const whole = finding.text === null ? withTexts(finding, loaded) : finding;
  return { ...viewFinding(state, whole), evidence: whole.evidence.map((item) => ({ ...item })) };
};

function withTexts(finding: Finding, loaded: readonly LoggedEvent[]): Finding {
  const {
    text,
    moderated = null,
    evidence = [],
  } = finding.isCaveat
    ? storedCaveat(finding, loaded)
    : storedData(loaded, finding.seq, findingEvents['finding.raised']);
  const said = (given: FindingResponse | null): FindingResponse | null =>
    given && { ...given, response: storedData(loaded, given.seq, findingEvents['finding.responded']).response };
  const { response, otherResponse } = finding;
  return { ...finding, text, moderated, evidence, response: said(response), otherResponse: said(otherResponse) };
}

function storedCaveat({ findingId, seq }: Finding, loaded: readonly LoggedEvent[]) {
  const { findings = [], caveats } = storedData(loaded, seq, reviewEvents['review.submitted']);
  return { text: caveats[findings.indexOf(findingId)] ?? '', moderated: undefined, evidence: undefined };
}

/** An open caveat of an approving review, and the other builder's answer to this caveat. */
export const CaveatView = z.strictObject({
  finding_id: FindingId,
  by: AgentRole,
  revision_id: RevisionId.nullable(),
  text: z.string().nullable(),
  answer: ResponseView.nullable().describe('Null while the caveat is unanswered.'),
});
documented.add(CaveatView, { id: 'Caveat' });

const viewCaveat = ({ findingId, raisedBy, revisionId, text, response }: Finding): z.output<typeof CaveatView> => ({
  finding_id: findingId,
  by: raisedBy,
  revision_id: revisionId,
  text,
  answer: response && viewResponse(response),
});

export const listOpenCaveats = (lists: BoundedLists, { findings }: SessionState) =>
  lists.list({
    records: openCaveats(findings),
    view: viewCaveat,
    how: () => pageCall('records', 0, 'type: "finding"'),
  });
