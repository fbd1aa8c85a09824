import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { itemAt, lookUp, lowerBound, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { canonicalJson } from '../../kernel/text/hash.ts';
import { type SessionDraft, storedData } from '../catalog.ts';
import { wordDiff } from '../document/shown-changes.ts';
import { DecisionId, Reason, viewEvidenceRefs } from '../fields.ts';
import { pickOf, recordIn } from '../listing.ts';
import type { DecidedText } from '../rendering/contract.ts';
import type { SessionState } from '../state.ts';
import { decisionEvents } from './events.ts';
import { PositionFields, type Proposal } from './fields.ts';
import {
  DECISION_CONTENT,
  type Decision,
  type Decisions,
  DecisionView,
  isActive,
  latestOn,
  replacementOf,
} from './state.ts';

export const decisionOf = ({ all }: Decisions, id: string): Decision => recordIn(all, 'decision', id);

/**
 * Topics and positions of the decisions with these ids. A closed decision is left out, because the state does not keep
 * its position.
 */
export const decidedTexts = ({ all }: Decisions, ids: readonly string[]): DecidedText[] =>
  ids.flatMap((decision_id) => {
    const decision = lookUp(all, decision_id);
    if (!decision || decision.position === null) return [];
    return [{ decision_id, topic: decision.topic, position: decision.position }];
  });

export function activeDecision(decisions: Decisions, id: string): Decision {
  const decision = decisionOf(decisions, id);
  if (isActive(decision)) return decision;
  const latest = latestOn(decisions, decision.topic);
  const current_decision_id = latest && isActive(latest) ? latest.decision_id : null;
  return fail('DECISION_CLOSED', `Decision ${id} is already closed: it is ${decision.status}.`, {
    status: decision.status,
    current_decision_id,
  });
}

/**
 * The effect of a proposal: the decision that has the proposed position, and the events to store. There are no events
 * if the proposal adds nothing.
 */
export interface Recorded {
  readonly decision_id: string;
  readonly isNew: boolean;
  /** The active decision that the new decision supersedes. */
  readonly supersedes?: string | undefined;
  readonly drafts: readonly DecisionDraft[];
}

export type DecisionDraft = Extract<SessionDraft, { kind: `decision.${string}` }>;

export interface ProposalPlace {
  readonly by: Role;
  readonly inTurn: boolean;
  /** Number of new decisions that earlier proposals in the same turn create. */
  readonly pending: number;
  readonly limits: Limits;
  /** Whether the proposer can have read a position of the other builder. */
  readonly wasRead: (decision: Decision) => boolean;
}

/**
 * Spec 3. Compares the position with the position of the active decision on the topic. If both are the same, the
 * decision stays and gets the new evidence. Otherwise a new decision is created, which supersedes the active decision
 * if there is one.
 * @throws ParleyError POSITION_CHANGED if the proposer names another decision than the active one, or cannot have read
 * the open proposal of the other builder that it would supersede; LIMIT_EXCEEDED
 */
export function recordProposal(
  decisions: Decisions,
  proposal: Proposal,
  { by, inTurn, pending, limits, wasRead }: ProposalPlace,
): Recorded {
  const accepts = proposal.accept === true;
  const latest = latestOn(decisions, proposal.topic);
  const active = latest && isActive(latest) ? latest : undefined;
  if (active?.position === proposal.position) {
    const drafts = [
      ...evidenceDrafts(active, proposal, { inTurn, limits }),
      ...(accepts ? acceptanceDrafts(active, { by, inTurn }) : []),
    ];
    return { decision_id: active.decision_id, isNew: false, drafts };
  }
  refuseUnread(active, proposal, { by, wasRead });
  const opensAnother = latest?.status !== 'PROPOSED';
  if (opensAnother && openOf(decisions, by) + pending >= limits.openDecisions) {
    fail('LIMIT_EXCEEDED', `You already have ${limits.openDecisions} open decisions, which is the limit.`, {
      limit: limits.openDecisions,
      hint: 'Withdraw one of your open decisions with withdraw_decision, or wait until the other agent accepts or rejects one.',
    });
  }
  const decision_id = `d_${decisions.all.size + pending + 1}`;
  const supersedes = active?.decision_id;
  const revision = (latest?.revision ?? 0) + 1;
  const drafts = [
    proposalDraft({ decision_id, revision, supersedes, in_turn: inTurn }, proposal),
    ...(accepts ? acceptanceDrafts({ decision_id, accepted_by: [] }, { by, inTurn }) : []),
  ];
  return { decision_id, isNew: true, supersedes, drafts };
}

/**
 * Refuses a proposal that replaces a position which the proposer does not know. The active position is known if the
 * proposer names it, has proposed or accepted it, or can have read it.
 */
function refuseUnread(
  active: Decision | undefined,
  { supersedes }: Proposal,
  { by, wasRead }: Pick<ProposalPlace, 'by' | 'wasRead'>,
): void {
  if (supersedes !== undefined) {
    if (supersedes === active?.decision_id) return;
    const stands = active ? `${active.decision_id} does, see current` : 'no decision does';
    fail('POSITION_CHANGED', `${supersedes} does not stand on this topic: ${stands}.`, viewCurrent(active));
  }
  if (!active || active.proposed_by === by || active.accepted_by.some((builder) => builder === by)) return;
  if (wasRead(active)) return;
  const { decision_id, proposed_by } = active;
  fail(
    'POSITION_CHANGED',
    `${proposed_by} has proposed ${decision_id} on this topic since you last read, and it is open: see current.`,
    viewCurrent(active),
  );
}

const pickCurrent = pickOf(
  DecisionView.pick({ decision_id: true, position: true, status: true, proposed_by: true, accepted_by: true }),
);

const viewCurrent = (active: Decision | undefined) => ({ current: active ? pickCurrent(active) : null });

/** The event that stores an acceptance. Empty if this role has already accepted the decision. */
export function acceptanceDrafts(
  { decision_id, accepted_by }: Pick<Decision, 'decision_id' | 'accepted_by'>,
  { by, inTurn }: Pick<ProposalPlace, 'by' | 'inTurn'>,
): DecisionDraft[] {
  if (accepted_by.some((builder) => builder === by)) return [];
  return [{ kind: 'decision.accepted', data: { decision_id, ...whereSaid(inTurn) } }];
}

/**
 * The event that stores a rejection.
 * @throws ParleyError OWN_PROPOSAL if the builder proposed the decision, DECISION_CLOSED, UNKNOWN_RECORD
 */
export function rejectionDraft(
  decisions: Decisions,
  { decision_id, reason }: { readonly decision_id: string; readonly reason: string },
  { by, inTurn }: Pick<ProposalPlace, 'by' | 'inTurn'>,
): DecisionDraft {
  if (decisionOf(decisions, decision_id).proposed_by === by)
    fail('OWN_PROPOSAL', `You proposed decision ${decision_id} yourself, so you cannot reject it.`);
  activeDecision(decisions, decision_id);
  return { kind: 'decision.rejected', data: { decision_id, reason, ...whereSaid(inTurn) } };
}

const whereSaid = (inTurn: boolean) => (inTurn ? { in_turn: true } : {});

/**
 * The event that adds evidence to a decision. Evidence that the decision has already is left out. Empty if nothing is
 * new.
 */
function evidenceDrafts(
  { decision_id, evidence }: Decision,
  proposal: Proposal,
  { inTurn, limits }: Pick<ProposalPlace, 'inTurn' | 'limits'>,
): DecisionDraft[] {
  const held = new Set(evidence.map((item) => canonicalJson(item)));
  const added = new Map(
    (proposal.evidence ?? []).map((item) => [canonicalJson(item), item] as const).filter(([form]) => !held.has(form)),
  );
  if (added.size === 0) return [];
  const { evidencePerDecision: limit } = limits;
  if (evidence.length + added.size > limit)
    fail('LIMIT_EXCEEDED', `Decision ${decision_id} can have at most ${limit} items of evidence.`, {
      limit,
      hint: 'Send the call without evidence. post_evidence adds evidence to your latest turn.',
    });
  const data = { decision_id, evidence: [...added.values()], in_turn: inTurn };
  return [{ kind: 'decision.substantiated', data }];
}

const openOf = ({ all, open }: Decisions, by: Role): number =>
  open.filter((id) => lookUp(all, id)?.proposed_by === by).length;

type Proposed = Extract<DecisionDraft, { kind: 'decision.proposed' }>['data'];

const pickPosition = pickOf(z.strictObject(PositionFields));

const proposalDraft = (
  { decision_id, ...place }: Pick<Proposed, 'decision_id' | 'revision' | 'supersedes' | 'in_turn'>,
  proposal: Proposal,
): DecisionDraft => ({ kind: 'decision.proposed', data: { decision_id, ...pickPosition(proposal), ...place } });

/**
 * Proposals that this builder must still accept or reject, oldest first. A builder must accept its own proposal only
 * after the other builder has accepted it, because until then the other builder may reject or supersede it.
 */
export const acceptancesDue = ({ all, open }: Decisions, builder: Builder): Decision[] =>
  open.flatMap((id) => {
    const decision = lookUp(all, id);
    return decision && isDue(decision, builder) ? [decision] : [];
  });

const isDue = ({ accepted_by, proposed_by }: Decision, builder: Builder): boolean =>
  !accepted_by.includes(builder) && (proposed_by !== builder || accepted_by.includes(otherBuilder(builder)));

const ABSENT_IF_CLOSED = { ...DECISION_CONTENT, revision: true, supersedes: true, proposed_at: true } as const;

/** A decision in a list. A closed decision lacks the members that are optional here. */
export const ListedDecision = DecisionView.partial(ABSENT_IF_CLOSED);
documented.add(ListedDecision, { id: 'ListedDecision' });
const DecisionChange = DecisionView.pick({
  decision_id: true,
  status: true,
  active: true,
  accepted_by: true,
  supersedes: true,
});
export const DecisionResult = namedObject('DecisionResult', { decision: DecisionChange });
export const DecisionReasonInput = namedObject('DecisionReasonInput', { decision_id: DecisionId, reason: Reason });

const pickDecision = pickOf(DecisionView);

const viewDecision = (decision: Decision): z.output<typeof DecisionView> =>
  pickDecision({
    ...decision,
    evidence: viewEvidenceRefs(decision.evidence),
    active: isActive(decision),
    ...viewChanges(decision),
  });

const viewChanges = memoizeBy(({ superseded, position }: Decision): { changes?: string } =>
  superseded == null || position === null ? {} : { changes: wordDiff(superseded, position) },
);

const pickClosed = pickOf(DecisionView.omit(ABSENT_IF_CLOSED));

export const viewListedDecision = (decision: Decision): z.output<typeof ListedDecision> =>
  isActive(decision) ? viewDecision(decision) : pickClosed({ ...decision, active: false });

const pickChange = pickOf(DecisionChange);

/** The answer of a call that changes a decision. The texts are left out, because the caller has sent them. */
export const viewDecisionChange = (decision: Decision): z.output<typeof DecisionResult> => ({
  decision: pickChange({ ...decision, active: isActive(decision) }),
});

/**
 * Numbers of the stored events that contain the position and the evidence of a closed decision. Empty for an active
 * decision, whose texts are in the state.
 */
export const decisionSeqs = ({ position, text_seqs }: Decision): readonly number[] =>
  position === null ? text_seqs : [];

/**
 * A decision with its position and its evidence, even if the decision is closed.
 * @param loaded the events of {@link decisionSeqs}
 */
export const viewWholeDecision = (
  decision: Decision,
  loaded: readonly LoggedEvent[],
): z.output<typeof DecisionView> => ({
  ...viewDecision(decision),
  ...(decision.position === null ? storedContent(decision, loaded) : pickContent(decision)),
});

const pickContent = pickOf(DecisionView.pick(DECISION_CONTENT));

function storedContent({ text_seqs: [proposed = 0, ...substantiated] }: Decision, loaded: readonly LoggedEvent[]) {
  const { evidence = [], ...texts } = pickContent(storedData(loaded, proposed, decisionEvents['decision.proposed']));
  const added = substantiated.flatMap(
    (seq) => storedData(loaded, seq, decisionEvents['decision.substantiated']).evidence,
  );
  return { ...texts, evidence: [...evidence, ...added] };
}

export const OwnerDecisionView = namedObject('OwnerDecision', {
  ...DecisionView.shape,
  superseded_by: DecisionId.optional().describe('The decision that replaced this decision.'),
});

export function viewOwnerDecision(decisions: Decisions, decision: Decision): z.output<typeof OwnerDecisionView> {
  const replacement = replacementOf(decisions, decision);
  return { ...viewDecision(decision), ...(replacement && { superseded_by: replacement.decision_id }) };
}

/**
 * The owner's view of a decision, with its position and its evidence even if the decision is closed.
 * @param loaded the events of `decisionSeqs`
 */
export const viewWholeOwnerDecision = (
  decisions: Decisions,
  decision: Decision,
  loaded: readonly LoggedEvent[],
): z.output<typeof OwnerDecisionView> => ({
  ...viewOwnerDecision(decisions, decision),
  ...viewWholeDecision(decision, loaded),
});

interface Reader {
  readonly by: Role;
  /** Number of the latest event that was shown to the reader. Undefined if it is not known. */
  readonly shownSeq: number | undefined;
  readonly inTurn: boolean;
}

/**
 * Tells whether a builder can have read a position of the other builder: if it was shown the proposal, or if it has
 * acted on the turn that contained the proposal. True as well if it is not known what the builder was shown.
 */
export const wasReadBy =
  (state: SessionState, { by, shownSeq, inTurn }: Reader) =>
  ({ text_seqs: [proposed = 0] }: Decision): boolean =>
    shownSeq === undefined || shownSeq >= proposed || hasActedOn(state, by, proposed, inTurn);

/** Whether the builder replies to the other's latest turn, which has the proposal: in its own turn, or to a part of it. */
function hasActedOn(state: SessionState, by: Role, proposed: number, inTurn: boolean): boolean {
  if (!isBuilder(by)) return false;
  const { turns, transcript, questions, decisions } = state;
  const turn = turns.lastOf[otherBuilder(by)];
  const message = itemAt(transcript.messages, lowerBound(transcript.messages, ({ seq }) => seq > proposed) - 1);
  if (!turn || message?.seq !== turn.seq) return false;
  return (
    inTurn ||
    valuesOf(questions.all).some(({ from, status, seq }) => from !== by && status === 'ANSWERED' && seq > turn.seq) ||
    valuesOf(decisions.all).some(
      ({ proposed_by, accepted_by, text_seqs: [seq = 0] }) =>
        proposed_by !== by && accepted_by.includes(by) && seq > turn.seq,
    )
  );
}
