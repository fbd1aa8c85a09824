import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { type Agent, BUILDERS, type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import { type SessionDraft, storedData } from '../catalog.ts';
import { AgentRole, BuilderRole, FindingId, Reason, RevisionId, text, viewEvidenceRefs } from '../fields.ts';
import { pageCall, pickOf, recordIn } from '../listing.ts';
import { reviewEvents } from '../reviews/events.ts';
import type { SessionState } from '../state.ts';
import { findingEvents } from './events.ts';
import {
  AWAITING,
  FINDING_CONTENT,
  type Finding,
  type FindingResponse,
  FindingStatus,
  type Findings,
  FindingView,
  type Followup,
  FollowupKind,
  type Followups,
  FollowupView,
  type Hold,
  type Holds,
  HoldView,
  nextId,
  RESPONSE_CONTENT,
  ResponseView,
  withResponses,
} from './state.ts';

export const findingOf = ({ all }: Findings, id: string): Finding => recordIn(all, 'finding', id);

/** @param pending number of findings that the same call raises before */
export const nextFindingId = ({ all: { size } }: Findings, pending = 0): string => `f_${size + pending + 1}`;

export const isOpen = ({ status }: Finding): boolean => status === 'OPEN' || status === 'RESPONDED';

export function openFinding(findings: Findings, id: string): Finding {
  const finding = findingOf(findings, id);
  return isOpen(finding)
    ? finding
    : fail('FINDING_CLOSED', `Finding ${id} is already closed: it is ${finding.status}.`, { status: finding.status });
}

/** Findings that are OPEN or RESPONDED, oldest first. */
export const openFindings = ({ all, open }: Findings): Finding[] => open.flatMap((id) => lookUp(all, id) ?? []);

/** Open findings that prevent certification, oldest first. */
export const openBlockingFindings = (findings: Findings): Finding[] =>
  openFindings(findings).filter(({ blocking }) => blocking);

/**
 * The role that can close an open finding: the agent that raised it, or the owner if the moderator raised it and cannot
 * act.
 */
export const closerOf = (state: SessionState, { raised_by }: Finding): Agent | 'owner' =>
  raised_by === 'moderator' && !hasModerator(state) ? 'owner' : raised_by;

/**
 * The builders that must answer a finding. If a builder raised the finding as a caveat, or to dispute a readiness
 * answer or a defect, the other builder must answer the finding. Any other finding must be answered by the Contract
 * Author and by the builders that the moderator named.
 */
function respondersTo(finding: Finding, author: Builder): Builder[] {
  const { target_agents, caveat, answer_of, raised_by } = finding;
  return (caveat || answer_of || targetsDefect(finding)) && isBuilder(raised_by)
    ? [otherBuilder(raised_by)]
    : BUILDERS.filter((builder) => builder === author || target_agents?.includes(builder));
}

const DEFECT_ID = /^def_[1-9]\d*$/;

/** Whether the target of the finding has the form of the id of a defect. */
const targetsDefect = ({ target }: Finding): boolean => target !== null && DEFECT_ID.test(target);

/**
 * The latest response that rejects the finding. Undefined if there is none, or if a builder must still answer the
 * finding.
 */
export const rejectionOf = ({ status, response, other_response }: Finding): FindingResponse | undefined =>
  status === 'RESPONDED'
    ? ([response, other_response].find((given) => given?.decision === 'REJECT') ?? undefined)
    : undefined;

/** Open findings that dispute readiness answers, oldest first. */
export const openDisputes = (findings: Findings): Finding[] =>
  openFindings(findings).filter(({ answer_of }) => answer_of !== undefined);

export const mayRespond = (finding: Finding, author: Builder | null, role: string): boolean =>
  author !== null && respondersTo(finding, author).some((builder) => builder === role);

/** The builders that must still answer a finding. Empty if no Contract Author is elected yet. */
export function awaitedFor(finding: Finding, author: Builder | null): Builder[] {
  if (finding.status !== 'OPEN' || author === null) return [];
  return respondersTo(finding, author).filter((builder) => !responseOf(finding, builder));
}

export const responseOf = ({ response, other_response }: Finding, builder: string): FindingResponse | undefined =>
  [response, other_response].find((given) => given?.by === builder) ?? undefined;

interface CaveatPlace {
  readonly by: Role;
  /** Number of findings that the same call raises before. */
  readonly pending: number;
}

/**
 * The id of the finding for each caveat of a review. If the builder already has an open caveat with the same text, the
 * id of that finding is used again.
 */
export function caveatFindings(findings: Findings, { by, pending }: CaveatPlace, caveats: readonly string[]): string[] {
  const open = openFindings(findings).filter(({ caveat, raised_by }) => caveat && raised_by === by);
  const ids = new Map(open.map(({ text, finding_id }) => [text, finding_id]));
  let size = findings.all.size + pending;
  return caveats.map((caveat) => {
    const id = ids.get(caveat) ?? `f_${++size}`;
    ids.set(caveat, id);
    return id;
  });
}

/** Open findings that are caveats of a review with the verdict APPROVE, oldest first. */
export const openCaveats = (findings: Findings): Finding[] =>
  openFindings(findings).filter(({ caveat }) => caveat === true);

export const resolutionCall = (findingId: string) => ({
  tool: 'resolve_finding',
  payload: { finding_id: findingId, outcome: '<RESOLVED or WITHDRAWN>' },
});

export const responseCall = (findingId: string) => ({
  tool: 'respond_finding',
  payload: { finding_id: findingId, decision: '<ACCEPT or REJECT>', response: '<your response>' },
});

/** The answer of a call that changes a finding. The texts are left out, because the caller has sent them. */
export const FindingChange = namedObject('FindingChange', {
  finding_id: FindingId,
  status: FindingStatus,
  blocking: z.boolean(),
  revision_id: RevisionId.nullable(),
  ...AWAITING,
});
export const FindingResult = namedObject('FindingResult', { finding: FindingChange });
export const FindingReasonInput = namedObject('FindingReasonInput', { finding_id: FindingId, reason: Reason });

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
  viewParts(state, finding.text === null ? withContent(finding, loaded) : finding);

const pickContent = pickOf(FindingView.pick(FINDING_CONTENT));
const pickResponseContent = pickOf(ResponseView.pick(RESPONSE_CONTENT));

function withContent(finding: Finding, loaded: readonly LoggedEvent[]): Finding {
  const raised = finding.caveat
    ? storedCaveat(finding, loaded)
    : storedData(loaded, finding.seq, findingEvents['finding.raised']);
  const { evidence = [], ...texts } = pickContent({ ...raised, ...raised.moderated });
  return withResponses({ ...finding, ...texts, evidence }, (given) => ({
    ...given,
    ...pickResponseContent(storedData(loaded, given.seq, findingEvents['finding.responded'])),
  }));
}

const storedCaveat = ({ finding_id, seq }: Finding, loaded: readonly LoggedEvent[]) => {
  const { findings = [], caveats } = storedData(loaded, seq, reviewEvents['review.submitted']);
  return { text: caveats[findings.indexOf(finding_id)] ?? '', moderated: undefined, evidence: undefined };
};

/** An open caveat of an approving review, and the other builder's answer to this caveat. */
export const CaveatView = namedObject('Caveat', {
  finding_id: FindingId,
  by: AgentRole,
  revision_id: RevisionId.nullable(),
  text: z.string().nullable(),
  answer: ResponseView.nullable().describe('Null while the caveat is unanswered.'),
});

const pickCaveat = pickOf(CaveatView);

export const listOpenCaveats = (lists: BoundedLists, { findings }: SessionState) =>
  lists.list({
    records: openCaveats(findings),
    view: (caveat) =>
      pickCaveat({ ...caveat, by: caveat.raised_by, answer: caveat.response && pickResponse(caveat.response) }),
    how: () => pageCall('records', 0, 'type: "finding"'),
  });

export const holdOf = ({ all }: Holds, id: string): Hold => recordIn(all, 'hold', id);

export function activeHold(holds: Holds, id: string): Hold {
  const hold = holdOf(holds, id);
  if (hold.released)
    fail('HOLD_CLOSED', `Hold ${id} is already released; the cause was ${hold.released.cause}.`, { hold_id: id });
  return hold;
}

export const activeHolds = ({ all, active }: Holds): Hold[] => active.flatMap((id) => lookUp(all, id) ?? []);

export const holdOn = (holds: Holds, findingId: string): Hold | undefined =>
  activeHolds(holds).find((hold) => hold.finding_id === findingId);

export const openedHoldDraft = ({ all }: Holds, findingId: string, reason: string): SessionDraft => ({
  kind: 'hold.opened',
  data: { hold_id: `h_${all.size + 1}`, finding_id: findingId, reason },
});

/** The event that releases the hold on a closed finding. Empty if the finding has no active hold. */
export function releasedWithFinding(holds: Holds, findingId: string): SessionDraft[] {
  const hold = holdOn(holds, findingId);
  if (!hold) return [];
  const data = { hold_id: hold.hold_id, finding_id: findingId, cause: 'FINDING_CLOSED' as const };
  return [{ kind: 'hold.released', data, actor: 'system' }];
}

export function refuseHeld(holds: Holds, what: string): void {
  const active = activeHolds(holds).map(({ hold_id }) => hold_id);
  if (active.length > 0)
    fail('HOLD_ACTIVE', `${what} is stopped by active holds: ${active.join(', ')}.`, { hold_ids: active });
}

export const HoldResult = namedObject('HoldResult', { hold: HoldView });

export const HoldChange = HoldView.pick({ hold_id: true, finding_id: true, status: true });
documented.add(HoldChange, { id: 'HoldChange' });
export const HoldChangeResult = namedObject('HoldChangeResult', { hold: HoldChange });

export const viewHoldChange = pickOf(HoldChange);

export const viewHold = pickOf(HoldView);

/** Maximum number of follow-ups that each role notes in a session. A new session takes at most 200 requirements. */
const MAX_FOLLOWUPS = 200;

const NewFollowup = z.strictObject({
  kind: FollowupKind,
  text: text(2_000),
  side: BuilderRole.optional().describe('Who has to do it; default you.'),
});

const NewFollowups = z
  .array(NewFollowup)
  .max(10)
  .describe('Work for later.')
  .register(documented, { id: 'NewFollowups' });

/** The member of a call of an agent in which it notes follow-ups. They are stored with the call, or not at all. */
export const NOTED = {
  followups: NewFollowups.optional(),
};

type Noted = z.output<typeof NewFollowup>;

interface Noting {
  readonly role: Role;
  /** The record that the call is about. */
  readonly origin?: { readonly type: string; readonly id: string };
  /** Number of the records that other events of the same call add before these. */
  readonly ahead?: number;
}

/**
 * The events of follow-ups. A role that repeats a text of its own for the same side adds nothing.
 * @throws ParleyError LIMIT_EXCEEDED if the role would have more than 200
 */
export function followupDrafts(
  followups: Followups,
  noted: readonly Noted[] = [],
  { role, origin, ahead = 0 }: Noting,
): SessionDraft[] {
  if (noted.length === 0) return [];
  const own = notedBy(followups, role);
  const known = new Set(own.map(keyOf));
  const added = noted
    .map(({ side, ...said }, index) => ({ ...said, side: side ?? sideOf(role, index) }))
    .filter((one) => !known.has(keyOf(one)) && known.add(keyOf(one)));
  if (own.length + added.length > MAX_FOLLOWUPS)
    fail('LIMIT_EXCEEDED', `You have noted ${own.length} follow-ups, and the limit is ${MAX_FOLLOWUPS}.`, {
      limit: MAX_FOLLOWUPS,
      hint: role === 'owner' ? 'Note it in the next session.' : 'Send the call again with fewer followups, or none.',
    });
  return added.map(({ side, kind, text }, index) => ({
    kind: 'followup.noted',
    data: { followup_id: nextId(followups.all.size + ahead + index), side, kind, text, ...(origin && { origin }) },
  }));
}

const notedBy = ({ all }: Followups, role: Role): Followup[] =>
  valuesOf(all).filter(({ by, ofVerdict }) => by === role && !ofVerdict);

/** The follow-up of a role with this side, kind and text. */
export const followupOf = (followups: Followups, role: Role, noted: Required<Noted>): Followup | undefined =>
  notedBy(followups, role).find((one) => keyOf(one) === keyOf(noted));

const keyOf = ({ side, kind, text }: Required<Noted>): string => `${side} ${kind} ${text}`;

const sideOf = (role: Role, index: number) =>
  isBuilder(role)
    ? role
    : refuseInput([{ path: `followups[${index}].side`, message: 'Is required: you have no repository.' }]);

export const viewFollowup = pickOf(FollowupView);
