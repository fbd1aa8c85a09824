import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { AGENTS, type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import type { EventOf, Slice } from '../catalog.ts';
import { contentOf, emptied } from '../content.ts';
import {
  ActorName,
  AgentRole,
  At,
  BuilderRole,
  EvidenceRefs,
  FindingId,
  FollowupId,
  HoldId,
  RecordRef,
  RevisionId,
} from '../fields.ts';
import {
  FINDING_CATEGORIES,
  FINDING_KINDS,
  type FINDING_OUTCOMES,
  FINDING_SEVERITIES,
  FOLLOWUP_KINDS,
  findingEvents,
  Moderated,
  RELEASE_CAUSES,
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

/** The members that only the log contains once a finding is withdrawn. */
export const FINDING_CONTENT = { ...contentOf(findingEvents['finding.raised'].data), ...contentOf(Moderated) };
export const RESPONSE_CONTENT = contentOf(findingEvents['finding.responded'].data);

/** A finding in which a function has changed each response. */
export const withResponses = (finding: Finding, change: (given: FindingResponse) => FindingResponse): Finding => ({
  ...finding,
  response: finding.response && change(finding.response),
  ...(finding.other_response && { other_response: change(finding.other_response) }),
});

function settled(finding: Finding, status: (typeof FINDING_OUTCOMES)[number]): Finding {
  if (status === 'RESOLVED') return { ...finding, status };
  return {
    ...emptied(
      withResponses(finding, (given) => emptied(given, RESPONSE_CONTENT)),
      FINDING_CONTENT,
    ),
    status,
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

/** An active hold blocks the approval and every authorization. */
export const HoldView = namedObject('Hold', {
  hold_id: HoldId,
  finding_id: FindingId,
  status: z.enum(['ACTIVE', 'RELEASED']),
  reason: z.string(),
  opened_by: ActorName,
  opened_at: At,
  released: z
    .strictObject({ cause: z.enum(RELEASE_CAUSES), reason: z.string().nullable(), released_at: At })
    .nullable(),
});

export interface Hold extends Readonly<z.output<typeof HoldView>> {
  readonly seq: number;
}

export interface Holds {
  readonly all: PersistentMap<Hold>;
  /** Ids of the active holds, oldest first. A finding has at most one active hold. */
  readonly active: readonly string[];
}

export const holdsSlice: Slice<Holds> = {
  empty: { all: emptyMap(), active: [] },
  folds: {
    'hold.opened': ({ all, active }, { actor, at, seq, data }) => {
      const hold: Hold = { ...data, status: 'ACTIVE', opened_by: actor, opened_at: at, released: null, seq };
      return { all: withEntry(all, data.hold_id, hold), active: [...active, data.hold_id] };
    },
    'hold.released': ({ all, active }, event) => {
      const { hold_id, cause, reason = null } = event.data;
      const hold = lookUp(all, hold_id);
      if (!hold) throw new Error(`An event releases hold ${hold_id}, which was never opened.`);
      const released: Hold = { ...hold, status: 'RELEASED', released: { cause, reason, released_at: event.at } };
      return { all: withEntry(all, hold_id, released), active: active.filter((id) => id !== hold_id) };
    },
  },
};

export const FollowupKind = z.enum(FOLLOWUP_KINDS).register(documented, { id: 'FollowupKind' });

/** Work for later: a fault beside the work, a deviation that was accepted, or a question. */
export const FollowupView = namedObject('Followup', {
  followup_id: FollowupId,
  kind: FollowupKind,
  side: BuilderRole.describe('In whose repository it has to be done.'),
  text: z.string(),
  by: ActorName,
  origin: RecordRef.nullable().describe(
    'The turn, attempt or action with which it was noted; null if the owner noted it.',
  ),
  noted_at: At,
});

export interface Followup extends Readonly<z.output<typeof FollowupView>> {
  /** Whether it is a deviation of a verdict, which stands only as long as the pass does. */
  readonly ofVerdict: boolean;
}

export interface Followups {
  readonly all: PersistentMap<Followup>;
}

export interface WithTests {
  readonly contract: {
    readonly outline: { readonly tests: readonly { readonly id: string; readonly responsible: Builder }[] } | null;
  };
}

export const followupsSlice: Slice<Followups, WithTests> = {
  empty: { all: emptyMap() },
  folds: {
    'followup.noted': (
      { all },
      { actor: by, at: noted_at, data: { followup_id, side, kind, text, origin = null } },
    ) => ({
      all: withEntry(all, followup_id, { followup_id, kind, side, text, by, origin, noted_at, ofVerdict: false }),
    }),
    'verdict.given': withDeviations,
  },
};

/** Adds the deviations of a verdict, so that nobody has to note them again. */
function withDeviations(
  { all }: Followups,
  { actor: by, at: noted_at, data }: EventOf<'verdict.given'>,
  { contract: { outline } }: WithTests,
): Followups {
  const { scenario_id, attempt, deviations = [] } = data;
  if (!isBuilder(by)) throw new Error(`An event contains a verdict of ${by}, who cannot give one.`);
  const side = outline?.tests.find(({ id }) => id === scenario_id)?.responsible ?? otherBuilder(by);
  const origin = { type: 'attempt', id: `${scenario_id}/${attempt}` };
  const added = deviations.reduce((before, text) => {
    const followup_id = nextId(before.size);
    const followup: Followup = { followup_id, kind: 'deviation', side, text, by, origin, noted_at, ofVerdict: true };
    return withEntry(before, followup_id, followup);
  }, all);
  return { all: added };
}

/** The id of the next record, after a number of records. */
export const nextId = (count: number): string => `fu_${count + 1}`;
