import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, valuesOf, withEntry } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { BUILDERS, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import { EvidenceRefs } from '../evidence.ts';
import { At, BuilderRole, DecisionId } from '../fields.ts';
import type { Slice } from '../slice.ts';
import { DECISION_STATUSES } from './events.ts';

export const DecisionView = namedObject('Decision', {
  decision_id: DecisionId,
  topic: z.string(),
  position: z
    .string()
    .nullable()
    .describe('Null in lists for a SUPERSEDED, WITHDRAWN or REJECTED decision; with decision_id, always given.'),
  evidence: EvidenceRefs,
  status: z.enum(DECISION_STATUSES).register(documented, { id: 'DecisionStatus' }),
  active: z.boolean(),
  proposed_by: BuilderRole,
  accepted_by: z
    .array(BuilderRole)
    .describe('Who has accepted the decision, or had accepted it when it was superseded.'),
  revision: z.int(),
  supersedes: DecisionId.nullable(),
  changes: z.string().optional().describe('Words that differ from the superseded position: [-removed-] {+added+}.'),
  reason: z.string().nullable().describe('Why the decision was withdrawn or rejected.'),
  proposed_at: At,
});

/**
 * A decision in the state. Once it is SUPERSEDED, WITHDRAWN or REJECTED, its position is null and its evidence is
 * empty, because then only the log contains them.
 */
export interface Decision extends Readonly<Omit<z.output<typeof DecisionView>, 'active' | 'changes'>> {
  /** Numbers of the events with the texts of the decision: first the proposal, then each addition of evidence. */
  readonly text_seqs: readonly number[];
  /**
   * The position of the decision that this decision superseded. Absent if this decision superseded none or is no longer
   * active.
   */
  readonly superseded?: string;
}

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

export const isActive = ({ status }: Decision): boolean => status === 'PROPOSED' || status === 'RESOLVED';

export const latestOn = ({ all, latestOf }: Decisions, topic: string): Decision | undefined => {
  const id = lookUp(latestOf, nameKey(topic));
  return id === undefined ? undefined : lookUp(all, id);
};

/** The id of the RESOLVED decision on a topic. Null if there is none. */
export function resolvedOn(decisions: Decisions, topic: string): string | null {
  const latest = latestOn(decisions, topic);
  return latest?.status === 'RESOLVED' ? latest.decision_id : null;
}

/** The id of the decision on a topic that is PROPOSED or RESOLVED. Null if there is none. */
export function activeOn(decisions: Decisions, topic: string): string | null {
  const latest = latestOn(decisions, topic);
  return latest && isActive(latest) ? latest.decision_id : null;
}

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
