import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Defect, VerifyState } from './state.ts';

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
