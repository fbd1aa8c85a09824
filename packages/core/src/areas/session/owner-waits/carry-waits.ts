import type { SessionState } from '../../state.ts';
import { stalePassOf } from '../../verify/scenarios/carry.ts';
import { staleWords } from '../../verify/scenarios/carry-texts.ts';
import { scenariosOf } from '../../verify/scenarios/scenarios.ts';
import { type OwnerWait, waitOf } from './owner-wait.ts';

/**
 * The stale passes that the owner can carry over, in the order of the contract. They do not block: the agents can run
 * the scenarios again.
 */
export const carryWaits = (state: SessionState): OwnerWait[] =>
  scenariosOf(state).flatMap((scenario) => {
    const stale = stalePassOf(state, scenario);
    if (!stale || stale.silent.length > 0) return [];
    const { id, executor } = scenario.test;
    const compare = stale.changes.length > 0 ? 'compare them with git, then carry' : 'carry';
    const text = `${staleWords(id, stale)}: ${compare} the pass over, or let ${executor} run the scenario again.`;
    const since = scenario.record.outcome_at ?? state.times.clearedAt;
    return [
      waitOf(
        { kind: 'CARRY', record: { type: 'scenario', id }, operation: 'carryPass', text, since },
        { payload: { scenario_id: id }, blocking: false },
      ),
    ];
  });
