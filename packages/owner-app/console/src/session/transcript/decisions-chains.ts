import type { SessionView } from '../../api/types.ts';

export type Decision = SessionView['decisions'][number];

/** The latest decision on a topic, and the decisions that it has superseded, latest first. */
export interface Chain {
  readonly decision: Decision;
  readonly earlier: readonly Decision[];
}

const ORDER: readonly Decision['status'][] = ['PROPOSED', 'RESOLVED', 'REJECTED', 'WITHDRAWN', 'SUPERSEDED'];

/**
 * Groups decisions into chains, so that each decision is in one chain. The chains are sorted by the status of their
 * latest decision, in the order of `ORDER`. Among chains with the same status, the chain with the newest decision is
 * first.
 */
export function chainsOf(decisions: readonly Decision[]): Chain[] {
  const byId = new Map(decisions.map((decision) => [decision.decision_id, decision]));
  const replaced = new Set(decisions.map(({ supersedes }) => supersedes));
  const earlierThan = ({ supersedes }: Decision): Decision[] => {
    const earlier = byId.get(supersedes ?? '');
    return earlier ? [earlier, ...earlierThan(earlier)] : [];
  };
  return decisions
    .filter(({ decision_id }) => !replaced.has(decision_id))
    .map((decision) => ({ decision, earlier: earlierThan(decision) }))
    .toReversed()
    .toSorted((a, b) => ORDER.indexOf(a.decision.status) - ORDER.indexOf(b.decision.status));
}
