import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { isLaterRevision, revisionOf } from '../contract/rules.ts';
import type { SessionState } from '../state.ts';
import type { Pair } from './revision-changes.ts';
import { lastReadBefore } from './rules.ts';

export interface PairInput {
  readonly revision_id?: string | undefined;
  readonly since?: string | undefined;
}

/**
 * The two revisions that are compared. By default the latest revision, and the newest earlier revision of which the
 * owner has read a section. Undefined if there is no revision yet.
 * @throws ParleyError UNKNOWN_RECORD for an unknown id; INVALID_INPUT if `since` is later than the revision
 */
export function pairOf(state: SessionState, { revision_id, since }: PairInput): Pair | undefined {
  const revision = revision_id === undefined ? state.contract.latest : revisionOf(state, revision_id);
  if (!revision) return undefined;
  const sinceId = since ?? lastReadBefore(state.reading, revision.revisionId);
  if (sinceId === null) return { revision, since: null };
  const base = revisionOf(state, sinceId);
  if (isLaterRevision(sinceId, revision.revisionId)) {
    const message = `Must not be later than ${revision.revisionId}. Call diff to compare backwards.`;
    fail('INVALID_INPUT', `since: ${message}`, { issues: [{ path: 'since', message }] });
  }
  return { revision, since: base };
}

/** Like {@link pairOf}, but returns undefined where `pairOf` throws. */
export function knownPair(state: SessionState, input: PairInput): Pair | undefined {
  const { revisions } = state.contract;
  const isKnown = [input.revision_id, input.since].every((id) => id === undefined || lookUp(revisions, id));
  if (!isKnown) return undefined;
  const revisionId = input.revision_id ?? state.contract.latest?.revisionId ?? '';
  return input.since !== undefined && isLaterRevision(input.since, revisionId) ? undefined : pairOf(state, input);
}
