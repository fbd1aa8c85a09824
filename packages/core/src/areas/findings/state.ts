import type { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { AGENTS, type Agent, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { Slice } from '../slice.ts';
import type { FINDING_KINDS, FINDING_OUTCOMES, Moderated, RESPONSE_DECISIONS } from './events.ts';

export const FINDING_STATUSES = ['OPEN', 'RESPONDED', 'RESOLVED', 'WITHDRAWN', 'OVERRIDDEN'] as const;

export interface FindingResponse {
  readonly by: Builder;
  readonly decision: (typeof RESPONSE_DECISIONS)[number];
  /** The text of the response. Null if the response has no text, and if the finding is WITHDRAWN. */
  readonly response: string | null;
  readonly fixedIn: string | null;
  readonly at: string;
  /**
   * Number of the event with the response. Responses are ordered by this number, because two responses can have the
   * same time.
   */
  readonly seq: number;
}

type FindingModerated = Readonly<
  Omit<z.output<typeof Moderated>, 'resolution_criteria'> & { resolution_criteria: string | null }
>;

export interface Finding {
  readonly findingId: string;
  readonly raisedBy: Agent;
  /** Null if the finding is WITHDRAWN. Then only the log contains its texts and evidence. */
  readonly text: string | null;
  /** The kind of a builder's finding. Null for a finding of the moderator, which has `moderated` instead. */
  readonly kind: (typeof FINDING_KINDS)[number] | null;
  readonly moderated: FindingModerated | null;
  readonly isBlocking: boolean;
  /**
   * Present if the finding is a caveat of an approving review. The builder that did not write the caveat must then
   * answer the finding.
   */
  readonly isCaveat?: true;
  readonly target: string | null;
  /**
   * The builder whose readiness answer the finding disputes. This builder must answer the finding, and `target` is the
   * id of the question. Absent for all other findings.
   */
  readonly answerOf?: Builder;
  readonly evidence: readonly Readonly<Record<string, unknown>>[];
  readonly revisionId: string | null;
  readonly status: (typeof FINDING_STATUSES)[number];
  readonly response: FindingResponse | null;
  /** The latest response of the builder that did not give `response`. */
  readonly otherResponse: FindingResponse | null;
  /**
   * The owner's reason for closing the finding in place of the agent that raised it. Null if the owner has not closed
   * it.
   */
  readonly overrideReason: string | null;
  readonly at: string;
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
      return closed(findings, { ...known(findings, finding_id), status: 'OVERRIDDEN', overrideReason: reason });
    },
  },
};

type Raised = Extract<SessionEvent, { kind: 'finding.raised' }>;

type Reviewed = Extract<SessionEvent, { kind: 'review.submitted' }>;

/** Raises a finding for each caveat of an approving review, unless an open finding has the caveat already. */
function withCaveats(findings: Findings, { data, ...event }: Reviewed): Findings {
  const { findings: ids = [], caveats, revision_id } = data;
  return ids.reduce((before, finding_id, index) => {
    if (lookUp(before.all, finding_id)) return before;
    const caveat = { finding_id, text: caveats[index] ?? '', kind: 'RISK' as const, blocking: false, revision_id };
    return raised(before, { ...event, kind: 'finding.raised', data: caveat }, { isCaveat: true });
  }, findings);
}

function raised(
  { all, open }: Findings,
  { seq, actor, data, at }: Raised,
  caveat: Pick<Finding, 'isCaveat'> = {},
): Findings {
  const raisedBy = AGENTS.find((agent) => agent === actor);
  if (!raisedBy) throw new Error(`An event contains a finding by ${actor}, who cannot raise one.`);
  const finding: Finding = {
    findingId: data.finding_id,
    raisedBy,
    text: data.text,
    kind: data.kind ?? null,
    moderated: data.moderated ?? null,
    isBlocking: data.blocking,
    target: data.target ?? null,
    evidence: data.evidence ?? [],
    revisionId: data.revision_id,
    status: 'OPEN',
    response: null,
    otherResponse: null,
    overrideReason: null,
    at,
    seq,
    ...(data.answer_of && { answerOf: data.answer_of }),
    ...caveat,
  };
  return { all: withEntry(all, finding.findingId, finding), open: [...open, finding.findingId] };
}

type Responded = Extract<SessionEvent, { kind: 'finding.responded' }>;

function responded(finding: Finding, { actor, at, seq, data }: Responded): Finding {
  if (!isBuilder(actor)) throw new Error(`An event contains a response of ${actor}, who cannot give one.`);
  const { decision, response, fixed_in, awaiting = [] } = data;
  const { response: latest, otherResponse } = finding;
  return {
    ...finding,
    status: awaiting.length === 0 ? 'RESPONDED' : 'OPEN',
    response: { by: actor, decision, response, fixedIn: fixed_in, at, seq },
    otherResponse: latest && latest.by !== actor ? latest : otherResponse,
  };
}

const settled = (finding: Finding, status: (typeof FINDING_OUTCOMES)[number]): Finding =>
  status === 'RESOLVED'
    ? { ...finding, status }
    : {
        ...finding,
        status,
        text: null,
        evidence: [],
        moderated: finding.moderated && { ...finding.moderated, resolution_criteria: null },
        response: withoutText(finding.response),
        otherResponse: withoutText(finding.otherResponse),
      };

const withoutText = (response: FindingResponse | null): FindingResponse | null =>
  response && { ...response, response: null };

const put = ({ all, open }: Findings, finding: Finding): Findings => ({
  all: withEntry(all, finding.findingId, finding),
  open,
});

function closed({ all, open }: Findings, finding: Finding): Findings {
  return put({ all, open: open.filter((id) => id !== finding.findingId) }, finding);
}

function known({ all }: Findings, id: string): Finding {
  const finding = lookUp(all, id);
  if (!finding) throw new Error(`An event refers to finding ${id}, which was never raised.`);
  return finding;
}
