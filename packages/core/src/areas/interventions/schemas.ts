import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS, type Builder, type Role } from '../../kernel/roles.ts';
import { viewEvidenceRefs } from '../evidence.ts';
import { BuilderRole, InterventionId, text } from '../fields.ts';
import { pickOf } from '../pick.ts';
import { storedData } from '../stored-data.ts';
import { interventionEvents } from './events.ts';
import { type Intervention, InterventionView, type ResponseStatus } from './record.ts';

export const Targets = z
  .array(BuilderRole)
  .min(1)
  .max(2)
  .refine((targets) => new Set(targets).size === targets.length, 'Names an agent twice.')
  .describe('Who must answer or follow: agent_a, agent_b or both.')
  .register(documented, { id: 'Targets', uniqueItems: true });
export const InterventionText = text(4_000)
  .describe('The question or the directive.')
  .register(documented, { id: 'InterventionText' });
export const InterventionResult = z
  .strictObject({ intervention: InterventionView })
  .register(documented, { id: 'InterventionResult' });
const InterventionChange = InterventionView.pick({ intervention_id: true, type: true, targets: true, status: true });
documented.add(InterventionChange, { id: 'InterventionChange' });
export const InterventionChangeResult = z
  .strictObject({ intervention: InterventionChange })
  .register(documented, { id: 'InterventionChangeResult' });
export const ModeratorQuestionResult = z
  .strictObject({ question: InterventionChange })
  .register(documented, { id: 'ModeratorQuestionResult' });
export const InterventionIdInput = z
  .strictObject({ intervention_id: InterventionId })
  .register(documented, { id: 'InterventionIdInput' });

const pickIntervention = pickOf(InterventionView);
const pickChange = pickOf(InterventionChange);

/** The responses of the targets, and the status of the intervention for a reader. */
function standingFor({ targets, responses, withdrawn }: Intervention, reader: Role) {
  const shown = targets.map((role) => responseOf(role, responses[role], withdrawn !== null));
  const own = shown.find(({ role }) => role === reader) ?? slowest(shown);
  return { status: own?.status ?? ('OPEN' as const), responses: shown };
}

/**
 * Shows an intervention.
 * @param reader the role whose response determines `status`; for the owner, the target whose response is least advanced
 * determines it
 */
export const viewIntervention = (intervention: Intervention, reader: Role) =>
  pickIntervention({
    ...intervention,
    ...standingFor(intervention, reader),
    evidence: viewEvidenceRefs(intervention.evidence),
  });

export const viewInterventionChange = (intervention: Intervention, reader: Role) =>
  pickChange({ ...intervention, ...standingFor(intervention, reader) });

/**
 * Numbers of the stored events that contain the texts of a withdrawn intervention. Empty for any other intervention,
 * whose texts are in the state.
 */
export const interventionSeqs = ({ text: words, seq, responses }: Intervention): readonly number[] =>
  words === null ? [seq, ...BUILDERS.flatMap((role) => responses[role]?.seq ?? [])] : [];

/**
 * An intervention with its texts and its evidence, even if the intervention is withdrawn.
 * @param loaded the events of {@link interventionSeqs}
 */
export function viewWholeIntervention(intervention: Intervention, reader: Role, loaded: readonly LoggedEvent[]) {
  const whole = intervention.text === null ? withTexts(intervention, loaded) : intervention;
  return pickIntervention({ ...whole, ...standingFor(whole, reader) });
}

function withTexts(intervention: Intervention, loaded: readonly LoggedEvent[]): Intervention {
  const { text: words, evidence = [] } = storedData(
    loaded,
    intervention.seq,
    interventionEvents['intervention.opened'],
  );
  const answerAt = (seq: number | null) =>
    seq === null ? null : storedData(loaded, seq, interventionEvents['intervention.answered']).text;
  const responses = Object.fromEntries(
    Object.entries(intervention.responses).map(([role, one]) => [role, { ...one, text: answerAt(one.seq) }]),
  );
  return { ...intervention, text: words, evidence, responses };
}

/**
 * The statuses of a response, least advanced first. WITHDRAWN comes before ANSWERED: an intervention that was withdrawn
 * before all targets answered is shown as WITHDRAWN.
 */
const SLOWEST_FIRST: readonly ResponseStatus[] = ['OPEN', 'ACKNOWLEDGED', 'WITHDRAWN', 'ANSWERED'];

const slowest = <T extends { status: ResponseStatus }>(responses: readonly T[]): T | undefined =>
  responses.toSorted((a, b) => SLOWEST_FIRST.indexOf(a.status) - SLOWEST_FIRST.indexOf(b.status))[0];

function responseOf(role: Builder, given: Intervention['responses'][Builder], isWithdrawn: boolean) {
  const { status = 'OPEN', text: words = null, at = null } = given ?? {};
  const shown: ResponseStatus = isWithdrawn && status !== 'ANSWERED' ? 'WITHDRAWN' : status;
  return { role, status: shown, text: words, at };
}
