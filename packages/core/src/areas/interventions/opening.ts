import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Builder, Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { interventionOf } from './rules.ts';
import type { Intervention, Interventions } from './state.ts';

export interface NewIntervention {
  readonly type: Intervention['type'];
  readonly text: string;
  readonly targets: readonly Builder[];
  readonly priority?: Intervention['priority'] | undefined;
  readonly isBlocking: boolean;
  readonly evidence?: Record<string, unknown>[] | undefined;
  readonly relatedDecisionId?: string | undefined;
  readonly relatedRevisionId?: string | undefined;
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
export function openedDraft({ all }: Interventions, opening: NewIntervention): SessionDraft {
  const { type, text, targets, priority = 'NORMAL', isBlocking, evidence } = opening;
  return {
    kind: 'intervention.opened',
    data: {
      intervention_id: `i_${all.size + 1}`,
      type,
      text,
      priority,
      blocking: isBlocking,
      targets: [...targets],
      evidence,
      related_decision_id: opening.relatedDecisionId,
      related_revision_id: opening.relatedRevisionId,
    },
  };
}

export const lastIntervention = (interventions: Interventions): Intervention =>
  interventionOf(interventions, `i_${interventions.all.size}`);
