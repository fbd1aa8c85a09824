import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import type { Builder } from '../../kernel/roles.ts';
import { EvidenceRefs } from '../evidence.ts';
import { AgentRole, At, BuilderRole, FindingId, RevisionId } from '../fields.ts';
import { FINDING_CATEGORIES, FINDING_KINDS, FINDING_SEVERITIES, RESPONSE_DECISIONS } from './events.ts';

export const FindingStatus = z
  .enum(['OPEN', 'RESPONDED', 'RESOLVED', 'WITHDRAWN', 'OVERRIDDEN'])
  .register(documented, { id: 'FindingStatus' });

export const ResponseView = z.strictObject({
  by: BuilderRole,
  decision: z.enum(RESPONSE_DECISIONS),
  response: z.string().nullable(),
  fixed_in: RevisionId.nullable(),
  responded_at: At,
});
documented.add(ResponseView, { id: 'FindingResponse' });

export const AWAITING = {
  awaiting: z.array(BuilderRole).optional().describe('Builders that must still answer the finding.'),
};

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

/** Without its text if it has none, and if the finding is WITHDRAWN. */
export interface FindingResponse extends Readonly<z.output<typeof ResponseView>> {
  /**
   * Number of the event with the response. Responses are ordered by this number, because two responses can have the
   * same time.
   */
  readonly seq: number;
}

/** A finding as the state holds it. If it is WITHDRAWN, only the log contains its texts and evidence. */
export interface Finding
  extends Readonly<Omit<z.output<typeof FindingView>, 'awaiting' | 'response' | 'other_response'>> {
  readonly response: FindingResponse | null;
  readonly other_response?: FindingResponse;
  /**
   * The builder whose readiness answer the finding disputes. This builder must answer the finding, and `target` is the
   * id of the question. Absent for all other findings.
   */
  readonly answer_of?: Builder;
  readonly seq: number;
}
