import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { type Builder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { canonicalJson } from '../../kernel/text/canonical.ts';
import type { SessionDraft } from '../catalog.ts';
import type { StoredEvidence } from '../evidence.ts';
import { pickOf } from '../pick.ts';
import type { DecidedText } from '../rendering/contract/decisions.ts';
import { type Decision, DecisionView } from './record.ts';
import type { Decisions } from './state.ts';

export interface Proposal {
  readonly topic: string;
  readonly position: string;
  readonly evidence?: StoredEvidence | undefined;
  /** Whether the proposer accepts the proposal with the same call. */
  readonly accept?: boolean | undefined;
  /** Id of the decision that the proposer replaces. */
  readonly supersedes?: string | undefined;
}

export const isActive = ({ status }: Decision): boolean => status === 'PROPOSED' || status === 'RESOLVED';

export const latestOn = ({ all, latestOf }: Decisions, topic: string): Decision | undefined => {
  const id = lookUp(latestOf, nameKey(topic));
  return id === undefined ? undefined : lookUp(all, id);
};

export function decisionOf({ all }: Decisions, id: string): Decision {
  return (
    lookUp(all, id) ??
    fail('UNKNOWN_RECORD', `There is no decision ${id} in this session.`, { record: { type: 'decision', id } })
  );
}

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

const proposalDraft = (
  { decision_id, ...place }: Pick<Proposed, 'decision_id' | 'revision' | 'supersedes' | 'in_turn'>,
  { topic, position, evidence }: Proposal,
): DecisionDraft => ({
  kind: 'decision.proposed',
  data: { decision_id, topic, position, evidence: evidence && [...evidence], ...place },
});

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
