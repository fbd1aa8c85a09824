import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import type { Intervention, InterventionResponse } from './record.ts';
import type { Interventions } from './state.ts';

/** An intervention, and the current response of one of its targets. */
export interface Addressed {
  readonly intervention: Intervention;
  readonly response: InterventionResponse;
}

/**
 * Returns an intervention that is addressed to the role. Refuses any other intervention with the same error as an
 * unknown id.
 */
export function interventionTo(interventions: Interventions, id: string, role: Role): Addressed {
  const intervention = lookUp(interventions.all, id);
  const response = intervention && responseOf(intervention, role);
  if (intervention && response) return { intervention, response };
  return unknownIntervention(id, 'is addressed to you');
}

export function interventionOf({ all }: Interventions, id: string): Intervention {
  return lookUp(all, id) ?? unknownIntervention(id, 'here');
}

function unknownIntervention(id: string, where: string): never {
  return fail('UNKNOWN_RECORD', `No intervention ${id} ${where}.`, { record: { type: 'intervention', id } });
}

/** Returns an intervention that `from` sent. Refuses any other intervention with the same error as an unknown id. */
export function ownIntervention(interventions: Interventions, id: string, from: 'owner' | 'moderator'): Intervention {
  const intervention = interventionOf(interventions, id);
  return intervention.from === from ? intervention : unknownIntervention(id, 'is yours');
}

const responseOf = ({ responses }: Intervention, role: Role): InterventionResponse | undefined =>
  isBuilder(role) ? responses[role] : undefined;

/** Whether an acknowledgement must be stored. Refuses the call if the intervention was withdrawn. */
export function isNewAcknowledgement(addressed: Addressed): boolean {
  refuseWithdrawn(addressed.intervention);
  return owesAcknowledgement(addressed);
}

/**
 * Whether a turn must store an acknowledgement. If the intervention was withdrawn before the turn arrived, the turn is
 * accepted and stores no acknowledgement.
 */
export const owesAcknowledgement = ({ intervention, response }: Addressed): boolean =>
  intervention.withdrawn === null && response.status === 'OPEN';

/**
 * Whether an answer must be stored. False if the target has already given the same answer. Refuses a different second
 * answer.
 */
export function isNewResponse({ intervention, response }: Addressed, text: string): boolean {
  refuseWithdrawn(intervention);
  if (response.status !== 'ANSWERED') return true;
  if (response.text === text) return false;
  const { intervention_id } = intervention;
  return fail('ALREADY_ANSWERED', `You already answered intervention ${intervention_id} with a different text.`, {
    intervention_id,
  });
}

function refuseWithdrawn({ intervention_id, withdrawn }: Intervention): void {
  if (withdrawn !== null)
    fail('INTERVENTION_CLOSED', `Intervention ${intervention_id} takes no more answers: it is ${withdrawn}.`, {
      status: withdrawn,
    });
}

/** Refuses an answer to a withdrawn intervention, and to a question that all targets have answered. */
export function refuseClosed(intervention: Intervention): void {
  refuseWithdrawn(intervention);
  const { intervention_id, type, targets, responses } = intervention;
  if (type === 'QUESTION' && targets.every((target) => responses[target]?.status === 'ANSWERED'))
    fail('INTERVENTION_CLOSED', `Intervention ${intervention_id} takes no more answers: it is ANSWERED.`, {
      status: 'ANSWERED',
    });
}

const standing = ({ all, standing: ids }: Interventions): Intervention[] => ids.flatMap((id) => lookUp(all, id) ?? []);

/** Questions that `from` asked and that at least one target has not answered. */
export const openOf = (interventions: Interventions, from: 'owner' | 'moderator'): Intervention[] =>
  standing(interventions).filter((intervention) => intervention.type === 'QUESTION' && intervention.from === from);

/** The owner's directives to this role that are not withdrawn, including directives that the role has answered. */
export const ownerDirectivesTo = (interventions: Interventions, role: Role): Intervention[] =>
  standing(interventions).filter(
    ({ type, from, targets }) => type === 'DIRECTIVE' && from === 'owner' && targets.some((target) => target === role),
  );

/** Interventions that the role has not answered, oldest first. The role may have acknowledged them. */
export const openInterventionsTo = (interventions: Interventions, role: Role): Intervention[] =>
  standing(interventions).filter((intervention) => {
    const status = responseOf(intervention, role)?.status;
    return status === 'OPEN' || status === 'ACKNOWLEDGED';
  });

/** The responses that the targets of open interventions still owe: OPEN, or ACKNOWLEDGED and not answered. */
export function* openResponses(interventions: Interventions): Generator<{
  readonly intervention: Intervention;
  readonly target: 'agent_a' | 'agent_b';
  readonly status: 'OPEN' | 'ACKNOWLEDGED';
}> {
  for (const intervention of standing(interventions))
    for (const target of intervention.targets) {
      const status = intervention.responses[target]?.status;
      if (status === 'OPEN' || status === 'ACKNOWLEDGED') yield { intervention, target, status };
    }
}
