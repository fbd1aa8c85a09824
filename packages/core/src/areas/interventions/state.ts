import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { type Actor, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { Slice } from '../slice.ts';
import type { INTERVENTION_TYPES, PRIORITIES, WITHDRAWALS } from './events.ts';

export const RESPONSE_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'ANSWERED', 'WITHDRAWN'] as const;

export interface InterventionResponse {
  readonly status: 'OPEN' | 'ACKNOWLEDGED' | 'ANSWERED';
  /** The text of the answer. Null if there is no answer, and if the intervention is withdrawn. */
  readonly text: string | null;
  readonly at: string | null;
  readonly seq: number | null;
}

export interface Intervention {
  readonly interventionId: string;
  readonly from: Actor;
  readonly type: (typeof INTERVENTION_TYPES)[number];
  /** Null if the intervention is withdrawn. Then only the log contains its text, evidence and answers. */
  readonly text: string | null;
  readonly priority: (typeof PRIORITIES)[number];
  readonly isBlocking: boolean;
  readonly targets: readonly Builder[];
  readonly responses: Readonly<Partial<Record<Builder, InterventionResponse>>>;
  readonly withdrawn: (typeof WITHDRAWALS)[number] | null;
  readonly evidence: readonly Readonly<Record<string, unknown>>[];
  readonly relatedDecisionId: string | null;
  readonly relatedRevisionId: string | null;
  readonly at: string;
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

type Opened = Extract<SessionEvent, { kind: 'intervention.opened' }>;

function opened({ all, standing }: Interventions, { seq, at, actor: from, data }: Opened): Interventions {
  const { intervention_id, type, text, priority, blocking, targets } = data;
  const responses = Object.fromEntries(targets.map((target) => [target, UNANSWERED]));
  const intervention: Intervention = {
    interventionId: intervention_id,
    from,
    type,
    text,
    priority,
    isBlocking: blocking,
    targets,
    responses,
    withdrawn: null,
    evidence: data.evidence ?? [],
    relatedDecisionId: data.related_decision_id ?? null,
    relatedRevisionId: data.related_revision_id ?? null,
    at,
    seq,
  };
  return { all: withEntry(all, intervention_id, intervention), standing: [...standing, intervention_id] };
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
  const { interventionId: id, type, withdrawn, targets, responses } = intervention;
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
