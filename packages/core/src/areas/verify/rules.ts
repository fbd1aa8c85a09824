import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/history.ts';
import type { Defect, VerifyState } from './state.ts';

export function defectOf({ defects }: VerifyState, id: string): Defect {
  return lookUp(defects, id) ?? fail('UNKNOWN_RECORD', `No defect ${id} here.`, { record: { type: 'defect', id } });
}

/** The defect, if it still stands. */
export function standingDefect(verify: VerifyState, id: string): Defect {
  const defect = defectOf(verify, id);
  return defect.status === 'OPEN' || defect.status === 'FIXED'
    ? defect
    : fail('DEFECT_CLOSED', `Defect ${id} is ${defect.status}.`, { status: defect.status });
}
