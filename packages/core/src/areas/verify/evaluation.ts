import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import type { Outline } from '../document/outline.ts';
import type { EvidenceRef } from './state.ts';

type Policy = NonNullable<Outline['tests'][number]['evidence_policy']>;

/** Evidence that a builder has not given: a number of further `items`, or an item of a `kind`. */
export type MissingEvidence =
  | { readonly builder: Builder; readonly items: number; readonly kind?: never }
  | { readonly builder: Builder; readonly kind: EvidenceRef['kind']; readonly items?: never };

/**
 * Evidence with a failed assertion, named by its message id. The request_id would not do, because an agent chooses it.
 */
export interface FailingEvidence {
  readonly builder: Builder;
  readonly messageId: number;
}

/** Whether the evidence of an attempt is enough for a PASS; if not, what is missing or failed. */
export interface Evaluation {
  readonly met: boolean;
  /** The correlation id of the evaluated run; null while there is no evidence, or if the policy asks for none. */
  readonly requestId: string | null;
  readonly missing: readonly MissingEvidence[];
  readonly failing: readonly FailingEvidence[];
}

/**
 * Evaluates the runs of an attempt; all evidence with the same request_id is one run (domain 9.4). A run meets the policy if
 * each builder gave the required evidence and no assertion failed. If no run does, returns the run that lacks the fewest
 * items, and of equal runs the latest. Runs with a failed assertion come last: they can be judged, but never meet the policy.
 */
export function evaluateEvidence(evidence: readonly EvidenceRef[], policy: Policy = {}): Evaluation {
  if (policy.correlated === false) return evaluateApart(evidence, policy);
  const ids = [...new Set(evidence.map(({ requestId }) => requestId))];
  if (ids.length === 0) return { met: false, requestId: null, missing: missingIn([], policy), failing: [] };
  const [best] = ids
    .map((requestId) => evaluateRun(evidence, requestId, policy))
    .reverse()
    .toSorted((one, other) => cost(one) - cost(other));
  return best ?? { met: false, requestId: null, missing: missingIn([], policy), failing: [] };
}

const cost = ({ missing, failing }: Evaluation): number => missing.length + (failing.length > 0 ? 1_000 : 0);

function evaluateRun(evidence: readonly EvidenceRef[], requestId: string, policy: Policy): Evaluation {
  const run = evidence.filter((item) => item.requestId === requestId);
  const missing = missingIn(run, policy);
  const failing = failingIn(run);
  return { met: missing.length === 0 && failing.length === 0, requestId, missing, failing };
}

/**
 * Evaluates an attempt whose policy does not require a common request_id: each builder may show a run of its own. Runs with
 * a failed assertion never meet the policy, but their items do not count as missing, because they can be judged.
 */
function evaluateApart(evidence: readonly EvidenceRef[], policy: Policy): Evaluation {
  const failed = new Set(evidence.filter(({ isFailing }) => isFailing).map(({ requestId }) => requestId));
  const clean = evidence.filter(({ requestId }) => !failed.has(requestId));
  const met = missingIn(clean, policy).length === 0;
  if (met) return { met, requestId: null, missing: [], failing: [] };
  return { met, requestId: null, missing: missingIn(evidence, policy), failing: failingIn(evidence) };
}

const failingIn = (items: readonly EvidenceRef[]): FailingEvidence[] =>
  items.filter(({ isFailing }) => isFailing).map(({ by, seq }) => ({ builder: by, messageId: seq }));

function missingIn(items: readonly EvidenceRef[], { per_agent_kinds = {}, min_items = 1 }: Policy): MissingEvidence[] {
  return BUILDERS.flatMap((builder) => {
    const own = items.filter(({ by }) => by === builder);
    const left = min_items - own.length;
    const kinds = missingKinds(own, builder, per_agent_kinds);
    return left > 0 ? [{ builder, items: left }, ...kinds] : kinds;
  });
}

const missingKinds = (
  own: readonly EvidenceRef[],
  builder: Builder,
  kinds: NonNullable<Policy['per_agent_kinds']>,
): MissingEvidence[] =>
  [...new Set(kinds[builder] ?? [])]
    .filter((kind) => !own.some((item) => item.kind === kind))
    .map((kind) => ({ builder, kind }));
