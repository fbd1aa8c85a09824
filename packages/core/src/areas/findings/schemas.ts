import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { EvidenceRefs, viewEvidenceRefs } from '../evidence.ts';
import { AgentRole, At, BuilderRole, FindingId, Reason, RevisionId } from '../fields.ts';
import { storedData } from '../stored-data.ts';
import { FINDING_CATEGORIES, FINDING_KINDS, FINDING_SEVERITIES, findingEvents, RESPONSE_DECISIONS } from './events.ts';
import { FINDING_STATUSES, type Finding } from './state.ts';

export const FindingView = z.strictObject({
  finding_id: FindingId,
  status: z.enum(FINDING_STATUSES),
  raised_by: AgentRole,
  text: z.string().nullable().describe('Null in lists once WITHDRAWN; given when you ask for one finding.'),
  kind: z
    .enum(FINDING_KINDS)
    .register(documented, { id: 'FindingKind' })
    .nullable()
    .describe("Only on the reviewer's findings; null on the moderator's."),
  category: z
    .enum(FINDING_CATEGORIES)
    .register(documented, { id: 'FindingCategory' })
    .nullable()
    .describe("This and the next three only on the moderator's findings."),
  severity: z.enum(FINDING_SEVERITIES).register(documented, { id: 'FindingSeverity' }).nullable(),
  resolution_criteria: z.string().nullable().describe('When the moderator will resolve it.'),
  target_agents: z.array(BuilderRole).nullable(),
  blocking: z.boolean(),
  target: z.string().nullable(),
  evidence: EvidenceRefs,
  revision_id: RevisionId.nullable().describe('The revision it was raised against.'),
  response: z
    .strictObject({
      decision: z.enum(RESPONSE_DECISIONS),
      response: z.string().nullable().describe('Null where the text of the finding is null.'),
      fixed_in: RevisionId.nullable(),
      responded_at: At,
    })
    .nullable(),
  override_reason: z.string().nullable().describe('Why the owner overrode it.'),
  raised_at: At,
});
documented.add(FindingView, { id: 'Finding' });
export const FindingResult = z.strictObject({ finding: FindingView }).register(documented, { id: 'FindingResult' });
export const FindingReasonInput = z
  .strictObject({ finding_id: FindingId, reason: Reason })
  .register(documented, { id: 'FindingReasonInput' });

export const viewFinding = (finding: Finding): z.output<typeof FindingView> => ({
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
  target: finding.target,
  evidence: viewEvidenceRefs(finding.evidence),
  revision_id: finding.revisionId,
  response: finding.response && {
    decision: finding.response.decision,
    response: finding.response.response,
    fixed_in: finding.response.fixedIn,
    responded_at: finding.response.at,
  },
  override_reason: finding.overrideReason,
  raised_at: finding.at,
});

/** Numbers of the stored events from which the full view of a finding is built. */
export const findingSeqs = ({ text, seq, response }: Finding): readonly number[] =>
  text === null ? [seq, ...(response ? [response.seq] : [])] : [];

/**
 * The full view: texts and evidence, of a withdrawn finding too.
 * @param loaded the events of {@link findingSeqs}
 */
export const viewWholeFinding = (finding: Finding, loaded: readonly LoggedEvent[]): z.output<typeof FindingView> => {
  const whole = finding.text === null ? withTexts(finding, loaded) : finding;
  return { ...viewFinding(whole), evidence: whole.evidence.map((item) => ({ ...item })) };
};

function withTexts(finding: Finding, loaded: readonly LoggedEvent[]): Finding {
  const { text, moderated = null, evidence = [] } = storedData(loaded, finding.seq, findingEvents['finding.raised']);
  const { response } = finding;
  const said = response && storedData(loaded, response.seq, findingEvents['finding.responded']).response;
  return { ...finding, text, moderated, evidence, response: response && { ...response, response: said } };
}
