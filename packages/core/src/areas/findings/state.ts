import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { AGENTS, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { EventOf } from '../catalog.ts';
import { EvidenceRefs } from '../evidence.ts';
import { AgentRole, At, BuilderRole, FindingId, RevisionId } from '../fields.ts';
import type { Slice } from '../slice.ts';
import {
  FINDING_CATEGORIES,
  FINDING_KINDS,
  type FINDING_OUTCOMES,
  FINDING_SEVERITIES,
  RESPONSE_DECISIONS,
} from './events.ts';

export const FindingStatus = z
  .enum(['OPEN', 'RESPONDED', 'RESOLVED', 'WITHDRAWN', 'OVERRIDDEN'])
  .register(documented, { id: 'FindingStatus' });

export const ResponseView = namedObject('FindingResponse', {
  by: BuilderRole,
  decision: z.enum(RESPONSE_DECISIONS),
  response: z.string().nullable(),
  fixed_in: RevisionId.nullable(),
  responded_at: At,
});

export const AWAITING = {
  awaiting: z.array(BuilderRole).optional().describe('Builders that must still answer the finding.'),
};

export const FindingView = namedObject('Finding', {
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

export interface Findings {
  readonly all: PersistentMap<Finding>;
  /** Ids of the findings that are OPEN or RESPONDED, oldest first. */
  readonly open: readonly string[];
}

export const findingsSlice: Slice<Findings> = {
  empty: { all: emptyMap(), open: [] },
  folds: {
    'finding.raised': (findings, event) => raised(findings, event),
    'review.submitted': withCaveats,
    'finding.responded': (findings, event) => put(findings, responded(known(findings, event.data.finding_id), event)),
    'finding.resolved': (findings, event) =>
      closed(findings, settled(known(findings, event.data.finding_id), event.data.outcome)),
    'finding.overridden': (findings, event) => {
      const { finding_id, reason } = event.data;
      return closed(findings, { ...known(findings, finding_id), status: 'OVERRIDDEN', override_reason: reason });
    },
  },
};

/** Raises a finding for each caveat of an approving review, unless an open finding has the caveat already. */
function withCaveats(findings: Findings, { data, ...event }: EventOf<'review.submitted'>): Findings {
  const { findings: ids = [], caveats, revision_id } = data;
  return ids.reduce((before, finding_id, index) => {
    if (lookUp(before.all, finding_id)) return before;
    const caveat = { finding_id, text: caveats[index] ?? '', kind: 'RISK' as const, blocking: false, revision_id };
    return raised(before, { ...event, kind: 'finding.raised', data: caveat }, { caveat: true });
  }, findings);
}

/** Members that only a finding of the moderator has. */
const NOT_MODERATED = { category: null, severity: null, resolution_criteria: null, target_agents: null };

function raised(
  { all, open }: Findings,
  { seq, actor, data, at }: EventOf<'finding.raised'>,
  caveat: Pick<Finding, 'caveat'> = {},
): Findings {
  const raised_by = AGENTS.find((agent) => agent === actor);
  if (!raised_by) throw new Error(`An event contains a finding by ${actor}, who cannot raise one.`);
  const { kind = null, moderated = NOT_MODERATED, target = null, evidence = [], answer_of, ...said } = data;
  const finding: Finding = {
    ...said,
    ...moderated,
    ...caveat,
    ...(answer_of && { answer_of }),
    kind,
    target,
    evidence,
    status: 'OPEN',
    raised_by,
    response: null,
    override_reason: null,
    raised_at: at,
    seq,
  };
  return { all: withEntry(all, finding.finding_id, finding), open: [...open, finding.finding_id] };
}

function responded(finding: Finding, { actor, at, seq, data }: EventOf<'finding.responded'>): Finding {
  if (!isBuilder(actor)) throw new Error(`An event contains a response of ${actor}, who cannot give one.`);
  const { decision, response, fixed_in, awaiting = [] } = data;
  const { response: latest } = finding;
  return {
    ...finding,
    status: awaiting.length === 0 ? 'RESPONDED' : 'OPEN',
    response: { by: actor, decision, response, fixed_in, responded_at: at, seq },
    ...(latest && latest.by !== actor && { other_response: latest }),
  };
}

function settled(finding: Finding, status: (typeof FINDING_OUTCOMES)[number]): Finding {
  if (status === 'RESOLVED') return { ...finding, status };
  const withoutText = (response: FindingResponse) => ({ ...response, response: null });
  const { response, other_response } = finding;
  return {
    ...finding,
    status,
    text: null,
    evidence: [],
    resolution_criteria: null,
    response: response && withoutText(response),
    ...(other_response && { other_response: withoutText(other_response) }),
  };
}

const put = ({ all, open }: Findings, finding: Finding): Findings => ({
  all: withEntry(all, finding.finding_id, finding),
  open,
});

function closed({ all, open }: Findings, finding: Finding): Findings {
  return put({ all, open: open.filter((id) => id !== finding.finding_id) }, finding);
}

function known({ all }: Findings, id: string): Finding {
  const finding = lookUp(all, id);
  if (!finding) throw new Error(`An event refers to finding ${id}, which was never raised.`);
  return finding;
}
