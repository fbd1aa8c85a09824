import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/history.ts';
import type { Limits } from '../../kernel/limits.ts';
import type { Builder } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import type { Intervention, Interventions } from '../interventions/state.ts';
import type { SessionState } from '../state.ts';
import { requireOpen } from './rules.ts';

export interface NewIntervention {
  readonly type: Intervention['type'];
  readonly text: string;
  readonly targets: readonly Builder[];
  readonly priority: Intervention['priority'];
  readonly isBlocking: boolean;
}

/** The event that puts a question or directive to agents. */
export function openedDraft(
  state: SessionState,
  { type, text, targets, priority, isBlocking }: NewIntervention,
  limits: Limits,
): SessionDraft {
  requireOpen(state, type === 'QUESTION' ? 'ask' : 'direct');
  const { all, standing } = state.interventions;
  if (standing.length >= limits.openInterventions) {
    fail('LIMIT_EXCEEDED', `${limits.openInterventions} interventions are open already.`, {
      limit: limits.openInterventions,
    });
  }
  const intervention_id = `i_${all.size + 1}`;
  return {
    kind: 'intervention.opened',
    data: { intervention_id, type, text, priority, blocking: isBlocking, targets: [...targets] },
  };
}

export const lastIntervention = ({ all }: Interventions): Intervention =>
  interventionOf({ all, standing: [] }, `i_${all.size}`);

export function interventionOf({ all }: Interventions, id: string): Intervention {
  return (
    lookUp(all, id) ?? fail('UNKNOWN_RECORD', `No intervention ${id} here.`, { record: { type: 'intervention', id } })
  );
}
