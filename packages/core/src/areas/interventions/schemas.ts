import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS, type Role } from '../../kernel/roles.ts';
import { EvidenceRefs, viewEvidenceRefs } from '../evidence.ts';
import { ActorName, At, BuilderRole, DecisionId, InterventionId, RevisionId, text } from '../fields.ts';
import { storedData } from '../stored-data.ts';
import { INTERVENTION_TYPES, interventionEvents, PRIORITIES } from './events.ts';
import { type Intervention, RESPONSE_STATUSES } from './state.ts';

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
export const Priority = z.enum(PRIORITIES).register(documented, { id: 'Priority' });

const ResponseView = z.strictObject({
  role: BuilderRole,
  status: z.enum(RESPONSE_STATUSES).register(documented, { id: 'ResponseStatus' }),
  text: z.string().nullable(),
  at: At.nullable(),
});

export const InterventionView = z.strictObject({
  intervention_id: InterventionId,
  from: ActorName,
  type: z.enum(INTERVENTION_TYPES),
  text: z.string().nullable().describe('Null in lists for a withdrawn intervention.'),
  priority: Priority,
  blocking: z.boolean(),
  targets: z.array(BuilderRole),
  status: z
    .enum(RESPONSE_STATUSES)
    .describe('Status of your response; for the owner, status of the least advanced response.'),
  responses: z.array(ResponseView),
  evidence: EvidenceRefs,
  related_decision_id: DecisionId.nullable(),
  related_revision_id: RevisionId.nullable(),
  opened_at: At,
});
documented.add(InterventionView, { id: 'Intervention' });
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

/**
 * Shows an intervention.
 * @param reader the role whose response determines `status`; for the owner, the target whose response is least advanced
 * determines it
 */
export function viewIntervention(intervention: Intervention, reader: Role): z.output<typeof InterventionView> {
  const { interventionId, from, type, text: words, priority, isBlocking, targets, at } = intervention;
  const { evidence, relatedDecisionId, relatedRevisionId } = intervention;
  const responses = targets.map((role) => ({ role, ...responseView(intervention, role) }));
  const own = responses.find(({ role }) => role === reader) ?? slowest(responses);
  return {
    intervention_id: interventionId,
    from,
    type,
    text: words,
    priority,
    blocking: isBlocking,
    targets: [...targets],
    status: own?.status ?? 'OPEN',
    responses,
    evidence: viewEvidenceRefs(evidence),
    related_decision_id: relatedDecisionId,
    related_revision_id: relatedRevisionId,
    opened_at: at,
  };
}

export function viewInterventionChange(intervention: Intervention, reader: Role): z.output<typeof InterventionChange> {
  const { intervention_id, type, targets, status } = viewIntervention(intervention, reader);
  return { intervention_id, type, targets, status };
}

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
export function viewWholeIntervention(
  intervention: Intervention,
  reader: Role,
  loaded: readonly LoggedEvent[],
): z.output<typeof InterventionView> {
  const whole = intervention.text === null ? withTexts(intervention, loaded) : intervention;
  return { ...viewIntervention(whole, reader), evidence: whole.evidence.map((item) => ({ ...item })) };
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

type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

/**
 * The statuses of a response, least advanced first. WITHDRAWN comes before ANSWERED: an intervention that was withdrawn
 * before all targets answered is shown as WITHDRAWN.
 */
const SLOWEST_FIRST: readonly ResponseStatus[] = ['OPEN', 'ACKNOWLEDGED', 'WITHDRAWN', 'ANSWERED'];

const slowest = <T extends { status: ResponseStatus }>(responses: readonly T[]): T | undefined =>
  responses.toSorted((a, b) => SLOWEST_FIRST.indexOf(a.status) - SLOWEST_FIRST.indexOf(b.status))[0];

function responseView({ responses, withdrawn }: Intervention, role: (typeof BUILDERS)[number]) {
  const { status = 'OPEN', text: words = null, at = null } = responses[role] ?? {};
  const shown: ResponseStatus = withdrawn !== null && status !== 'ANSWERED' ? 'WITHDRAWN' : status;
  return { status: shown, text: words, at };
}
