import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { EventOf, SessionDraft } from '../catalog.ts';
import type { Intervention } from './record.ts';
import { interventionOf } from './rules.ts';
import type { Interventions } from './state.ts';

type Opened = EventOf<'intervention.opened'>['data'];

interface Opening extends Omit<Opened, 'intervention_id' | 'priority'> {
  readonly priority?: Opened['priority'] | undefined;
}

const HINT_AT_LIMIT = {
  owner:
    'Withdraw a question or directive with withdrawIntervention, or wait until the agents have answered a question.',
  moderator: 'Withdraw a question with withdraw_question, or wait until the builders have answered one.',
} as const;

/** Refuses another question or directive. The owner and the moderator each have their own limit of open ones. */
export function refuseManyInterventions(
  { all, standing }: Interventions,
  from: Role,
  { openInterventions: limit }: Limits,
): void {
  if (standing.filter((id) => lookUp(all, id)?.from === from).length >= limit)
    fail('LIMIT_EXCEEDED', `The ${from} already has ${limit} open questions and directives, which is the limit.`, {
      limit,
      hint: HINT_AT_LIMIT[from === 'owner' ? from : 'moderator'],
    });
}

/** The event that sends a question or a directive to agents. */
export const openedDraft = ({ all }: Interventions, { priority = 'NORMAL', ...opening }: Opening): SessionDraft => ({
  kind: 'intervention.opened',
  data: { ...opening, intervention_id: `i_${all.size + 1}`, priority },
});

export const lastIntervention = (interventions: Interventions): Intervention =>
  interventionOf(interventions, `i_${interventions.all.size}`);
