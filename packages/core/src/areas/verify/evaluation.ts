import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import type { Outline } from '../document/outline.ts';
import type { EvidenceRef } from './state.ts';

type Policy = NonNullable<Outline['tests'][number]['evidence_policy']>;

/** Whether an attempt's evidence is enough for a PASS, and what is not. */
export interface Evaluation {
  readonly met: boolean;
  /** The correlation id that the evaluation speaks of; null while there is no evidence, or when none is asked for. */
  readonly requestId: string | null;
  readonly missing: readonly string[];
  readonly failing: readonly string[];
}

/**
 * The policy is met when for some one request_id each builder has what is asked of it and no item with that request_id
 * has a failing assertion (domain 9.4). Of several, the one with the least left to do is spoken of, the latest of equals;
 * one in which something failed only where there is no other, for it can be judged and never be met.
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
 * Without correlation each builder may show a run of its own. Runs with a failing assertion prove nothing, but what was
 * given in them is not asked for again: it can be judged.
 */
function evaluateApart(evidence: readonly EvidenceRef[], policy: Policy): Evaluation {
  const failed = new Set(evidence.filter(({ isFailing }) => isFailing).map(({ requestId }) => requestId));
  const clean = evidence.filter(({ requestId }) => !failed.has(requestId));
  const met = missingIn(clean, policy).length === 0;
  if (met) return { met, requestId: null, missing: [], failing: [] };
  return { met, requestId: null, missing: missingIn(evidence, policy), failing: failingIn(evidence) };
}

/** By the number of the message, for a request_id is an agent's own text. */
const failingIn = (items: readonly EvidenceRef[]): string[] =>
  items.filter(({ isFailing }) => isFailing).map(({ by, seq }) => `${by}: an assertion failed in message ${seq}`);

function missingIn(items: readonly EvidenceRef[], { per_agent_kinds = {}, min_items = 1 }: Policy): string[] {
  return BUILDERS.flatMap((builder) => {
    const own = items.filter(({ by }) => by === builder);
    const left = min_items - own.length;
    const kinds = missingKinds(own, builder, per_agent_kinds);
    return [...(left > 0 ? [`${builder}: ${left} more ${left === 1 ? 'item' : 'items'}`] : []), ...kinds];
  });
}

const missingKinds = (
  own: readonly EvidenceRef[],
  builder: Builder,
  kinds: NonNullable<Policy['per_agent_kinds']>,
): string[] =>
  [...new Set(kinds[builder] ?? [])]
    .filter((kind) => !own.some((item) => item.kind === kind))
    .map((kind) => `${builder}: evidence of kind ${kind}`);
