import { canonicalJson } from '../../kernel/canonical.ts';
import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Builder, Role } from '../../kernel/roles.ts';
import { type Decision, type Decisions, topicKey } from './state.ts';

export interface Proposal {
  readonly topic: string;
  readonly position: string;
  readonly evidence?: readonly Record<string, unknown>[] | undefined;
}

export const isActive = ({ status }: Decision): boolean => status === 'PROPOSED' || status === 'RESOLVED';

/** The latest decision on a topic, active or not. */
export const latestOn = ({ all, latestOf }: Decisions, topic: string): Decision | undefined => {
  const id = lookUp(latestOf, topicKey(topic));
  return id === undefined ? undefined : lookUp(all, id);
};

export function decisionOf({ all }: Decisions, id: string): Decision {
  return (
    lookUp(all, id) ??
    fail('UNKNOWN_RECORD', `There is no decision ${id} in this session.`, { record: { type: 'decision', id } })
  );
}

/** Returns the decision if it is active; else refuses. */
export function activeDecision(decisions: Decisions, id: string): Decision {
  const decision = decisionOf(decisions, id);
  if (isActive(decision)) return decision;
  const latest = latestOn(decisions, decision.topic);
  const current_decision_id = latest && isActive(latest) ? latest.decisionId : null;
  return fail('DECISION_CLOSED', `Decision ${id} is ${decision.status}.`, {
    status: decision.status,
    current_decision_id,
  });
}

/** The decision that a position leads to, and the event to store; no event if the position adds nothing. */
export interface Recorded {
  readonly decisionId: string;
  readonly draft: ReturnType<typeof proposalDraft> | ReturnType<typeof evidenceDraft> | undefined;
}

/** The proposer, and the turn in which it proposes. */
export interface ProposalPlace {
  readonly by: Role;
  readonly inTurn: boolean;
  /** Number of proposals that the same turn already contains. */
  readonly pending: number;
  readonly limits: Limits;
}

/**
 * Spec 3. An unchanged position keeps the decision and adds evidence; a changed one supersedes the active decision on
 * the topic.
 */
export function recordProposal(
  decisions: Decisions,
  proposal: Proposal,
  { by, inTurn, pending, limits }: ProposalPlace,
): Recorded {
  const latest = latestOn(decisions, proposal.topic);
  const isSame = latest && isActive(latest) && latest.position === proposal.position;
  if (isSame) return { decisionId: latest.decisionId, draft: evidenceDraft(latest, proposal, { inTurn, limits }) };
  const opensAnother = latest?.status !== 'PROPOSED';
  if (opensAnother && openOf(decisions, by) + pending >= limits.openDecisions) {
    fail('LIMIT_EXCEEDED', `You already have ${limits.openDecisions} open decisions; that is the limit.`, {
      limit: limits.openDecisions,
    });
  }
  const decisionId = `d_${decisions.all.size + pending + 1}`;
  return { decisionId, draft: proposalDraft(decisionId, proposal, latest, inTurn) };
}

/** The items of evidence that the decision does not contain yet; undefined if it contains them all. */
function evidenceDraft(
  { decisionId, evidence }: Decision,
  proposal: Proposal,
  { inTurn, limits }: Pick<ProposalPlace, 'inTurn' | 'limits'>,
) {
  const held = new Set(evidence.map((item) => canonicalJson(item)));
  const added = new Map(
    (proposal.evidence ?? []).map((item) => [canonicalJson(item), item] as const).filter(([form]) => !held.has(form)),
  );
  if (added.size === 0) return undefined;
  const { evidencePerDecision: limit } = limits;
  if (evidence.length + added.size > limit)
    fail('LIMIT_EXCEEDED', `Decision ${decisionId} can have at most ${limit} items of evidence.`, { limit });
  const data = { decision_id: decisionId, evidence: [...added.values()], in_turn: inTurn };
  return { kind: 'decision.substantiated' as const, data };
}

const openOf = ({ all, open }: Decisions, by: Role): number =>
  open.filter((id) => lookUp(all, id)?.proposedBy === by).length;

function proposalDraft(decision_id: string, proposal: Proposal, latest: Decision | undefined, in_turn: boolean) {
  const { topic, position, evidence } = proposal;
  const supersedes = latest && isActive(latest) ? latest.decisionId : undefined;
  const data = {
    decision_id,
    topic,
    position,
    evidence: evidence && [...evidence],
    revision: (latest?.revision ?? 0) + 1,
    supersedes,
    in_turn,
  };
  return { kind: 'decision.proposed' as const, data };
}

/** Open proposals that wait for this builder's acceptance, oldest first. */
export const awaitingAcceptance = ({ all, open }: Decisions, builder: Builder): Decision[] =>
  open.flatMap((id) => {
    const decision = lookUp(all, id);
    return decision && !decision.acceptedBy.includes(builder) ? [decision] : [];
  });
