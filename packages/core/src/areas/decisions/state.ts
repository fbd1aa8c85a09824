import { emptyMap, lookUp, type PersistentMap, valuesOf, withEntry } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { BUILDERS, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { Slice } from '../slice.ts';
import type { Decision } from './record.ts';

export interface Decisions {
  readonly all: PersistentMap<Decision>;
  /** The id of the latest decision on each topic, by the key that `nameKey` makes. */
  readonly latestOf: PersistentMap<string>;
  /** Ids of decisions that are PROPOSED, oldest first. */
  readonly open: readonly string[];
}

export const decisionsSlice: Slice<Decisions> = {
  empty: { all: emptyMap(), latestOf: emptyMap(), open: [] },
  folds: {
    'decision.proposed': (decisions, event) => {
      if (!isBuilder(event.actor))
        throw new Error(`An event contains a decision proposed by ${event.actor}, who is not a builder.`);
      return proposed(decisions, event, event.actor);
    },
    'decision.substantiated': substantiated,
    'decision.accepted': (decisions, event) =>
      isBuilder(event.actor) ? accepted(decisions, event.data.decision_id, event.actor) : decisions,
    'decision.withdrawn': (decisions, event) =>
      closed(decisions, event.data.decision_id, 'WITHDRAWN', event.data.reason),
    'decision.rejected': (decisions, event) => closed(decisions, event.data.decision_id, 'REJECTED', event.data.reason),
  },
};

type Proposed = Extract<SessionEvent, { kind: 'decision.proposed' }>;

function proposed(decisions: Decisions, { seq, at, data }: Proposed, proposed_by: Builder): Decisions {
  const { evidence = [], supersedes = null, in_turn: _, ...rest } = data;
  const superseded = supersedes === null ? null : (lookUp(decisions.all, supersedes)?.position ?? null);
  const { all, latestOf, open } = supersede(decisions, supersedes);
  const decision: Decision = {
    ...rest,
    evidence,
    supersedes,
    ...(superseded !== null && { superseded }),
    proposed_by,
    accepted_by: [],
    status: 'PROPOSED',
    reason: null,
    proposed_at: at,
    text_seqs: [seq],
  };
  return {
    all: withEntry(all, rest.decision_id, decision),
    latestOf: withEntry(latestOf, nameKey(rest.topic), rest.decision_id),
    open: [...open, rest.decision_id],
  };
}

/**
 * Marks a decision as SUPERSEDED. Removes its position and its evidence from the state, but keeps `accepted_by`. Changes
 * nothing if `id` is null.
 */
const supersede = (decisions: Decisions, id: string | null): Decisions =>
  id === null ? decisions : closed(decisions, id, 'SUPERSEDED', null);

type Substantiated = Extract<SessionEvent, { kind: 'decision.substantiated' }>;

function substantiated(decisions: Decisions, { seq, data }: Substantiated): Decisions {
  const decision = known(decisions, data.decision_id);
  const evidence = [...decision.evidence, ...data.evidence];
  return put(decisions, { ...decision, evidence, text_seqs: [...decision.text_seqs, seq] });
}

export function accepted(decisions: Decisions, id: string, by: Builder): Decisions {
  const decision = known(decisions, id);
  const accepted_by = BUILDERS.filter((builder) => builder === by || decision.accepted_by.includes(builder));
  return put(decisions, {
    ...decision,
    accepted_by,
    status: accepted_by.length === BUILDERS.length ? 'RESOLVED' : 'PROPOSED',
  });
}

type Closed = 'SUPERSEDED' | 'WITHDRAWN' | 'REJECTED';

export const closed = (decisions: Decisions, id: string, status: Closed, reason: string | null): Decisions =>
  put(decisions, { ...withoutSuperseded(known(decisions, id)), status, reason, position: null, evidence: [] });

const withoutSuperseded = ({ superseded: _, ...decision }: Decision): Decision => decision;

function put({ all, latestOf, open }: Decisions, decision: Decision): Decisions {
  const { decision_id: id, status } = decision;
  return {
    all: withEntry(all, id, decision),
    latestOf,
    open: status === 'PROPOSED' ? open : open.filter((other) => other !== id),
  };
}

function known({ all }: Decisions, id: string): Decision {
  const decision = lookUp(all, id);
  if (!decision) throw new Error(`An event refers to decision ${id}, which was never proposed.`);
  return decision;
}

const replacements = memoizeBy(
  ({ all }: Decisions): ReadonlyMap<string, string> =>
    new Map(
      valuesOf(all).flatMap(({ supersedes, decision_id }) => (supersedes === null ? [] : [[supersedes, decision_id]])),
    ),
);

/** The decision that directly replaced the given decision. Undefined if none did. */
export const replacementOf = (decisions: Decisions, { decision_id }: Decision): Decision | undefined =>
  lookUp(decisions.all, replacements(decisions).get(decision_id) ?? '');

/** The newest decision that replaced the given decision, directly or through others. Undefined if none did. */
export function lastReplacement(decisions: Decisions, decision_id: string): Decision | undefined {
  let last: Decision | undefined;
  let next = lookUp(decisions.all, replacements(decisions).get(decision_id) ?? '');
  // The loop ends, because a decision is newer than the decision that it supersedes.
  while (next) {
    last = next;
    next = replacementOf(decisions, next);
  }
  return last;
}
