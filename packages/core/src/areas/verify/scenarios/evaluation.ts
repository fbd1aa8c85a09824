import { BUILDERS, type Builder } from '../../../kernel/roles.ts';
import type { Outline } from '../../document/outline.ts';
import type { Evidence } from '../record.ts';

type Policy = NonNullable<Outline['tests'][number]['evidence_policy']>;

/** Evidence that a builder must still give: a number of `items`, or an item of a `kind`. */
export type MissingEvidence =
  | { readonly builder: Builder; readonly items: number; readonly kind?: never }
  | { readonly builder: Builder; readonly kind: Evidence['kind']; readonly items?: never };

/**
 * Evidence with a failed assertion. It is identified by its message id, because agents choose the request_id, which
 * could be ambiguous.
 */
export interface FailingEvidence {
  readonly builder: Builder;
  readonly message_id: number;
}

/** Whether the evidence of an attempt is enough for a PASS. If not, what is missing and what has failed. */
export interface Evaluation {
  readonly met: boolean;
  /**
   * The request_id of the evidence that was evaluated. Null if there is no evidence, or if the policy does not require
   * evidence of both builders with a common request_id.
   */
  readonly request_id: string | null;
  readonly missing: readonly MissingEvidence[];
  readonly failing: readonly FailingEvidence[];
}

/**
 * Evaluates the runs of an attempt. A run is all evidence with the same request_id (domain 9.4). It meets the policy if
 * each builder gave the required evidence and no assertion failed. Returns the evaluation of the run with the fewest
 * entries in `missing`; if several runs have equally few, of the latest of them. A run with a failed assertion is
 * chosen only if all runs have a failed assertion: it can be judged, but cannot pass.
 */
export function evaluateEvidence(evidence: readonly Evidence[], policy: Policy = {}): Evaluation {
  if (policy.correlated === false) return evaluateApart(evidence, policy);
  const ids = [...new Set(evidence.map(({ request_id }) => request_id))];
  if (ids.length === 0) return { met: false, request_id: null, missing: missingIn([], policy), failing: [] };
  const [best] = ids
    .map((request_id) => evaluateRun(evidence, request_id, policy))
    .reverse()
    .toSorted((one, other) => cost(one) - cost(other));
  return best ?? { met: false, request_id: null, missing: missingIn([], policy), failing: [] };
}

const cost = ({ missing, failing }: Evaluation): number => missing.length + (failing.length > 0 ? 1_000 : 0);

function evaluateRun(evidence: readonly Evidence[], request_id: string, policy: Policy): Evaluation {
  const run = evidence.filter((item) => item.request_id === request_id);
  const missing = missingIn(run, policy);
  const failing = failingIn(run);
  return { met: missing.length === 0 && failing.length === 0, request_id, missing, failing };
}

/**
 * Evaluates an attempt whose policy does not require evidence of both builders with a common request_id. If an item of
 * evidence has a failed assertion, no evidence with the request_id of this item counts for a pass. Each item with an empty
 * request_id stands for itself.
 */
function evaluateApart(evidence: readonly Evidence[], policy: Policy): Evaluation {
  const failedRuns = new Set(evidence.filter(({ failed }) => failed).map(({ request_id }) => request_id));
  const clean = evidence.filter(({ request_id, failed }) => !(request_id === '' ? failed : failedRuns.has(request_id)));
  const met = missingIn(clean, policy).length === 0;
  if (met) return { met, request_id: null, missing: [], failing: [] };
  return { met, request_id: null, missing: missingIn(evidence, policy), failing: failingIn(evidence) };
}

const failingIn = (items: readonly Evidence[]): FailingEvidence[] =>
  items.filter(({ failed }) => failed).map(({ by, message_id }) => ({ builder: by, message_id }));

function missingIn(items: readonly Evidence[], { per_agent_kinds = {}, min_items = 1 }: Policy): MissingEvidence[] {
  return BUILDERS.flatMap((builder) => {
    const own = items.filter(({ by }) => by === builder);
    const left = min_items - own.length;
    const kinds = missingKinds(own, builder, per_agent_kinds);
    return left > 0 ? [{ builder, items: left }, ...kinds] : kinds;
  });
}

const missingKinds = (
  own: readonly Evidence[],
  builder: Builder,
  kinds: NonNullable<Policy['per_agent_kinds']>,
): MissingEvidence[] =>
  [...new Set(kinds[builder] ?? [])]
    .filter((kind) => !own.some((item) => item.kind === kind))
    .map((kind) => ({ builder, kind }));
