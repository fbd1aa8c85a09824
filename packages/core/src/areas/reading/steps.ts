import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { isLaterRevision } from '../contract/rules.ts';
import type { Revision } from '../contract/state.ts';
import type { SessionState } from '../state.ts';

/**
 * Consecutive revisions whose changes are compared as one step. `from` is the revision before the step, `to` is its
 * last revision.
 */
export interface Step {
  readonly from: Revision;
  readonly to: Revision;
  readonly revisions: readonly Revision[];
}

/** Maximum number of steps. If there are more revisions, the oldest revisions become one step. */
const MAX_STEPS = 20;

/** The revisions after `since` up to and including `to`, oldest first. */
export const revisionsBetween = ({ contract }: SessionState, since: Revision | null, to: Revision): Revision[] =>
  valuesOf(contract.revisions).filter(
    ({ revisionId: id }) =>
      !isLaterRevision(id, to.revisionId) && (since === null || isLaterRevision(id, since.revisionId)),
  );

/**
 * The steps from one revision to a later revision. Each step is one revision. If there are more than MAX_STEPS
 * revisions, the oldest revisions together are the first step.
 */
export function stepsBetween(state: SessionState, since: Revision, to: Revision): Step[] {
  const all = revisionsBetween(state, since, to);
  const first = all.slice(0, Math.max(0, all.length - MAX_STEPS) + 1);
  const groups = [first, ...all.slice(first.length).map((revision) => [revision])];
  let from = since;
  return groups.flatMap((revisions) => {
    const last = revisions.at(-1);
    if (!last) return [];
    const step = { from, to: last, revisions };
    from = last;
    return [step];
  });
}
