import { emptyTable, lookUp, type Table, withEntry } from '../../kernel/log/persistent-collections.ts';
import { BUILDERS, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { DecisionStatus } from './events.ts';

export interface Decision {
  readonly decisionId: string;
  readonly topic: string;
  readonly position: string;
  readonly evidence: readonly Readonly<Record<string, unknown>>[];
  readonly proposedBy: Builder;
  readonly revision: number;
  readonly supersedes: string | null;
  readonly acceptedBy: readonly Builder[];
  readonly status: DecisionStatus;
  readonly reason: string | null;
  readonly at: string;
}

export interface Decisions {
  readonly all: Table<Decision>;
  /** The latest decision id of a topic, by its key. */
  readonly latestOf: Table<string>;
  /** Ids of those still PROPOSED, oldest first. */
  readonly open: readonly string[];
}

export const emptyDecisions: Decisions = { all: emptyTable(), latestOf: emptyTable(), open: [] };

/** Topics compare case- and space-insensitively. */
export const topicKey = (topic: string): string => topic.trim().toLowerCase().split(/\s+/).join(' ');

export function evolveDecisions(decisions: Decisions, event: SessionEvent): Decisions {
  switch (event.kind) {
    case 'decision.proposed':
      if (!isBuilder(event.actor)) throw new Error(`The log lets ${event.actor} propose a decision.`);
      return proposed(supersede(decisions, event.data.supersedes), event.data, event.actor, event.at);
    case 'decision.substantiated':
      return substantiated(decisions, event.data);
    case 'decision.accepted':
      return isBuilder(event.actor) ? accepted(decisions, event.data.decision_id, event.actor) : decisions;
    case 'decision.withdrawn':
      return closed(decisions, event.data.decision_id, 'WITHDRAWN', event.data.reason);
    case 'decision.rejected':
      return closed(decisions, event.data.decision_id, 'REJECTED', event.data.reason);
    default:
      return decisions;
  }
}

type Proposed = Extract<SessionEvent, { kind: 'decision.proposed' }>['data'];

function proposed({ all, latestOf, open }: Decisions, data: Proposed, proposedBy: Builder, at: string): Decisions {
  const { decision_id, topic, position, evidence = [], revision, supersedes = null } = data;
  const decision: Decision = {
    decisionId: decision_id,
    topic,
    position,
    evidence,
    proposedBy,
    revision,
    supersedes,
    acceptedBy: [],
    status: 'PROPOSED',
    reason: null,
    at,
  };
  return {
    all: withEntry(all, decision_id, decision),
    latestOf: withEntry(latestOf, topicKey(topic), decision_id),
    open: [...open, decision_id],
  };
}

/** Who had accepted it stays on record; no acceptance passes to the decision that takes its place. */
const supersede = (decisions: Decisions, id: string | undefined): Decisions =>
  id === undefined ? decisions : put(decisions, { ...known(decisions, id), status: 'SUPERSEDED' });

type Substantiated = Extract<SessionEvent, { kind: 'decision.substantiated' }>['data'];

function substantiated(decisions: Decisions, { decision_id, evidence }: Substantiated): Decisions {
  const decision = known(decisions, decision_id);
  return put(decisions, { ...decision, evidence: [...decision.evidence, ...evidence] });
}

function accepted(decisions: Decisions, id: string, by: Builder): Decisions {
  const decision = known(decisions, id);
  const acceptedBy = BUILDERS.filter((builder) => builder === by || decision.acceptedBy.includes(builder));
  return put(decisions, {
    ...decision,
    acceptedBy,
    status: acceptedBy.length === BUILDERS.length ? 'RESOLVED' : 'PROPOSED',
  });
}

const closed = (decisions: Decisions, id: string, status: DecisionStatus, reason: string): Decisions =>
  put(decisions, { ...known(decisions, id), status, reason });

function put({ all, latestOf, open }: Decisions, decision: Decision): Decisions {
  const { decisionId: id, status } = decision;
  return {
    all: withEntry(all, id, decision),
    latestOf,
    open: status === 'PROPOSED' ? open : open.filter((other) => other !== id),
  };
}

function known({ all }: Decisions, id: string): Decision {
  const decision = lookUp(all, id);
  if (!decision) throw new Error(`The log names a decision ${id} that was never proposed.`);
  return decision;
}
