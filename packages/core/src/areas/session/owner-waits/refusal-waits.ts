import { valuesOf } from '../../../kernel/log/persistent-collections.ts';
import type { SessionState } from '../../state.ts';
import type { Defect } from '../../verify/record.ts';
import { scenariosOf, standingDefects } from '../../verify/scenarios/scenarios.ts';
import { type OwnerWait, waitOf } from './owner-wait.ts';

/**
 * The tasks that say what a step waits for that the owner refused, and whose move it is. They do not block, because the
 * agents can fix the defect. A defect that another task names is left out.
 */
export function refusalWaits(state: SessionState, others: readonly OwnerWait[]): OwnerWait[] {
  const named = new Set(others.flatMap(({ record }) => (record.type === 'defect' ? [record.id] : [])));
  return standingDefects(state).flatMap((defect) => {
    const { defect_id: id, scenario_id, assigned_to, refusal, status, fixed_by, opened_at: since } = defect;
    if (!refusal || named.has(id)) return [];
    const move =
      status === 'FIXED' && fixed_by
        ? `${fixed_by} has fixed it on a new commit, and ${scenario_id} has to pass again`
        : `${assigned_to} has to fix it on a new commit, then ${scenario_id} has to pass again`;
    const text = `You refused the ${refusal.stage} for ${id}: ${move}. Wait, or waive ${id} if you refuse no longer.`;
    const record = { type: 'defect', id };
    return [
      waitOf(
        { kind: 'BLOCKER', record, operation: 'waiveDefect', text, since },
        { payload: { defect_id: id }, blocking: false },
      ),
    ];
  });
}

/** The defects of the manifest in force for which the owner refused a step and which were fixed since. */
export const metRefusals = (state: SessionState): Defect[] =>
  valuesOf(state.verify.defects).filter(
    ({ status, refusal, scenario_id, attempt }) =>
      status === 'CLOSED' &&
      refusal !== undefined &&
      scenariosOf(state).some(
        ({ test, record }) => test.id === scenario_id && record.attempts.some((one) => one.attempt === attempt),
      ),
  );
