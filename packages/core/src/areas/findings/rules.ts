import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import { type Agent, BUILDERS, type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import { storedData } from '../catalog.ts';
import { viewEvidenceRefs } from '../evidence.ts';
import { AgentRole, FindingId, Reason, RevisionId } from '../fields.ts';
import { pageCall, pickOf, recordIn } from '../listing.ts';
import { reviewEvents } from '../reviews/events.ts';
import type { SessionState } from '../state.ts';
import { findingEvents } from './events.ts';
import {
  AWAITING,
  type Finding,
  type FindingResponse,
  FindingStatus,
  type Findings,
  FindingView,
  ResponseView,
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
