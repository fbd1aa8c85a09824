import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import type { Builder } from '../../kernel/roles.ts';
import { EvidenceRefs } from '../evidence.ts';
import { ActorName, At, BuilderRole, DecisionId, InterventionId, RevisionId } from '../fields.ts';
import { INTERVENTION_TYPES, PRIORITIES, type WITHDRAWALS } from './events.ts';

const RESPONSE_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'ANSWERED', 'WITHDRAWN'] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

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

/** The text is null if there is no answer, and if the intervention is withdrawn. */
export interface InterventionResponse extends Readonly<Omit<z.output<typeof ResponseView>, 'role'>> {
  readonly status: Exclude<ResponseStatus, 'WITHDRAWN'>;
  readonly seq: number | null;
}

/**
 * An intervention in the state. If it is withdrawn, its texts are null and its evidence is empty: only the log contains
 * them.
 */
export interface Intervention extends Readonly<Omit<z.output<typeof InterventionView>, 'status' | 'responses'>> {
  readonly responses: Readonly<Partial<Record<Builder, InterventionResponse>>>;
  readonly withdrawn: (typeof WITHDRAWALS)[number] | null;
  readonly seq: number;
}
