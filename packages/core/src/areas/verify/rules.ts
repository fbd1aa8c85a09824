import { fail } from '../../kernel/errors.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { Builder } from '../../kernel/roles.ts';
import { isSameCommit } from './commits.ts';
import type { Defect } from './record.ts';
import type { VerifyState } from './state.ts';

export function defectOf({ defects }: VerifyState, id: string): Defect {
  return (
    lookUp(defects, id) ??
    fail('UNKNOWN_RECORD', `There is no defect ${id} in this session.`, { record: { type: 'defect', id } })
  );
}

export const isStanding = ({ status }: Defect): boolean => status === 'OPEN' || status === 'FIXED';

/** Refuses the call if the defect is neither open nor fixed. */
export function standingDefect(verify: VerifyState, id: string): Defect {
  const defect = defectOf(verify, id);
  return isStanding(defect)
    ? defect
    : fail('DEFECT_CLOSED', `Defect ${id} is already settled: it is ${defect.status}.`, { status: defect.status });
}

/** Whether the builder, after the failure that the defect records, has declared a commit other than the failed one. */
export function hasNewCommit({ handshakes }: VerifyState, { failed_seq, commits }: Defect, builder: Builder): boolean {
  const own = handshakes[builder];
  return own !== undefined && own.commit_seq > failed_seq && !isSameCommit(own.commit, commits[builder]);
}

/** The open defects whose fix needs another commit, which makes every pass stale. */
export const unfixedDefects = (verify: VerifyState): Defect[] =>
  valuesOf(verify.defects).filter(
    (defect) => defect.status === 'OPEN' && !hasNewCommit(verify, defect, defect.assigned_to),
  );
