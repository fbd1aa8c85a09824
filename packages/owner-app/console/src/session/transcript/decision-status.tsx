import type { SessionView } from '../../api/types.ts';
import { Role } from '../../ui/text/shown.tsx';
import { nameIn } from '../interventions/names.ts';
import type { Decision } from './decisions-chains.ts';

export const DECISION_TONES = {
  PROPOSED: 'warn',
  RESOLVED: 'good',
  WITHDRAWN: 'plain',
  REJECTED: 'bad',
  SUPERSEDED: 'plain',
} as const;

/** Shows who proposed a decision, and which builders have accepted it. */
export function DecisionStatus({ view, decision }: { readonly view: SessionView; readonly decision: Decision }) {
  return (
    <p class="facts">
      <span>
        by <Role of={decision.proposed_by} name={nameIn(view, decision.proposed_by)} />
      </span>
      {(['agent_a', 'agent_b'] as const).map((role) => {
        const hasAccepted = decision.accepted_by.includes(role);
        return (
          <span key={role} class={hasAccepted ? 'accepted' : 'not-accepted'}>
            {hasAccepted ? '✓ ' : '○ '}
            {hasAccepted ? 'accepted by' : 'not yet'} <Role of={role} name={nameIn(view, role)} />
          </span>
        );
      })}
    </p>
  );
}
