import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { type Actor, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { EventOf } from '../catalog.ts';
import { EvidenceRefs } from '../evidence.ts';
import { ActorName, At, BuilderRole, DecisionId, InterventionId, RevisionId } from '../fields.ts';
import type { Slice } from '../slice.ts';
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

export const InterventionView = namedObject('Intervention', {
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

export interface Interventions {
  readonly all: PersistentMap<Intervention>;
  /**
   * Ids of the directives that are not withdrawn, and of the questions that at least one target has not answered.
   * Oldest first.
   */
  readonly standing: readonly string[];
}

const UNANSWERED: InterventionResponse = { status: 'OPEN', text: null, at: null, seq: null };

export const interventionsSlice: Slice<Interventions> = {
  empty: { all: emptyMap(), standing: [] },
  folds: {
    'intervention.opened': opened,
    'intervention.acknowledged': (interventions, event) =>
      responded(interventions, event.data.intervention_id, event.actor, {
        status: 'ACKNOWLEDGED',
        text: null,
        at: event.at,
        seq: null,
      }),
    'intervention.answered': (interventions, event) =>
      responded(interventions, event.data.intervention_id, event.actor, {
        status: 'ANSWERED',
        text: event.data.text,
        at: event.at,
        seq: event.seq,
      }),
    'intervention.withdrawn': (interventions, event) => {
      const { intervention_id, outcome } = event.data;
      return put(interventions, withdrawn(known(interventions, intervention_id), outcome));
    },
  },
};

const withdrawn = (intervention: Intervention, outcome: (typeof WITHDRAWALS)[number]): Intervention => ({
  ...intervention,
  withdrawn: outcome,
  text: null,
  evidence: [],
  responses: Object.fromEntries(
    Object.entries(intervention.responses).map(([role, response]) => [role, { ...response, text: null }]),
  ),
});

function opened(
  { all, standing }: Interventions,
  { seq, at, actor, data }: EventOf<'intervention.opened'>,
): Interventions {
  const { evidence = [], related_decision_id = null, related_revision_id = null, ...said } = data;
  const intervention: Intervention = {
    ...said,
    from: actor,
    responses: Object.fromEntries(data.targets.map((target) => [target, UNANSWERED])),
    withdrawn: null,
    evidence,
    related_decision_id,
    related_revision_id,
    opened_at: at,
    seq,
  };
  const { intervention_id: id } = data;
  return { all: withEntry(all, id, intervention), standing: [...standing, id] };
}

function responded(
  interventions: Interventions,
  id: string,
  actor: Actor,
  response: InterventionResponse,
): Interventions {
  const intervention = known(interventions, id);
  if (!isBuilder(actor))
    throw new Error(`An event contains a response to intervention ${id} by ${actor}, who is not a builder.`);
  return put(interventions, { ...intervention, responses: { ...intervention.responses, [actor]: response } });
}

function put({ all, standing }: Interventions, intervention: Intervention): Interventions {
  const { intervention_id: id, type, withdrawn, targets, responses } = intervention;
  const isAnswered = targets.every((target) => responses[target]?.status === 'ANSWERED');
  const isOver = withdrawn !== null || (type === 'QUESTION' && isAnswered);
  return {
    all: withEntry(all, id, intervention),
    standing: isOver ? standing.filter((other) => other !== id) : standing,
  };
}

function known({ all }: Interventions, id: string): Intervention {
  const intervention = lookUp(all, id);
  if (!intervention) throw new Error(`An event refers to intervention ${id}, which was never opened.`);
  return intervention;
}
