import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { type EventCatalog, isSeenBy } from '../../kernel/log/event-catalog.ts';
import {
  appended,
  emptyList,
  emptyMap,
  itemAt,
  lookUp,
  lowerBound,
  type PersistentList,
  type PersistentMap,
  withEntry,
} from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { type Actor, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { EventOf, SessionEvent, Slice } from '../catalog.ts';
import { contentOf, emptied } from '../content.ts';
import {
  ActorName,
  At,
  BuilderRole,
  DecisionId,
  EvidenceRefs,
  InterventionId,
  RecommendationId,
  RevisionId,
} from '../fields.ts';
import {
  INTERVENTION_TYPES,
  interventionEvents,
  OWNER_DECISIONS,
  PRIORITIES,
  RECOMMENDATIONS,
  recommendationEvents,
  type WITHDRAWALS,
} from './events.ts';

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

/** The members that only the log contains once an intervention is withdrawn. */
export const INTERVENTION_CONTENT = contentOf(interventionEvents['intervention.opened'].data);
export const RESPONSE_CONTENT = contentOf(interventionEvents['intervention.answered'].data);
export const RECOMMENDATION_CONTENT = contentOf(recommendationEvents['recommendation.made'].data);

/** An intervention in which a function has changed each response. */
export const withResponses = (
  intervention: Intervention,
  change: (given: InterventionResponse) => InterventionResponse,
): Intervention => ({
  ...intervention,
  responses: Object.fromEntries(
    Object.entries(intervention.responses).map(([role, response]) => [role, change(response)]),
  ),
});

const withdrawn = (intervention: Intervention, outcome: (typeof WITHDRAWALS)[number]): Intervention => ({
  ...emptied(
    withResponses(intervention, (given) => emptied(given, RESPONSE_CONTENT)),
    INTERVENTION_CONTENT,
  ),
  withdrawn: outcome,
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

/** Advice of the moderator to the owner. It does not bind the owner. */
export const RecommendationView = namedObject('Recommendation', {
  recommendation_id: RecommendationId,
  recommendation: z.enum(RECOMMENDATIONS).register(documented, { id: 'RecommendationKind' }),
  text: z
    .string()
    .nullable()
    .describe('Null in lists for a rejected recommendation; with recommendation_id, always given.'),
  targets: z.array(BuilderRole),
  made_at: At,
  answer: z
    .strictObject({ decision: z.enum(OWNER_DECISIONS), note: z.string().nullable(), answered_at: At })
    .nullable(),
});

/** A recommendation in the state. If the owner has rejected it, only the log contains its text. */
export interface Recommendation extends Readonly<z.output<typeof RecommendationView>> {
  readonly seq: number;
}

export interface Recommendations {
  readonly all: PersistentMap<Recommendation>;
  /** Ids of the recommendations that the owner has not answered, oldest first. */
  readonly open: readonly string[];
}

export const recommendationsSlice: Slice<Recommendations> = {
  empty: { all: emptyMap(), open: [] },
  folds: {
    'recommendation.made': ({ all, open }, { at, seq, data }) => {
      const { recommendation_id: id } = data;
      return { all: withEntry(all, id, { ...data, made_at: at, answer: null, seq }), open: [...open, id] };
    },
    'recommendation.answered': ({ all, open }, event) => {
      const { recommendation_id: id, decision, note = null } = event.data;
      const made = lookUp(all, id);
      if (!made) throw new Error(`An event answers recommendation ${id}, which was never made.`);
      const kept = decision === 'REJECT' ? emptied(made, RECOMMENDATION_CONTENT) : made;
      const answered = { ...kept, answer: { decision, note, answered_at: event.at } };
      return { all: withEntry(all, id, answered), open: open.filter((other) => other !== id) };
    },
  },
};

export const MAX_EVENTS = 100;
export const DEFAULT_EVENTS = 50;

/**
 * The moderator's feed: the numbers of the events that the moderator sees, and its acknowledged cursor. The events
 * themselves are in the log alone.
 */
export interface Feed {
  readonly seqs: PersistentList<number>;
  readonly ackedCursor: number;
  /** Number of the latest event that the moderator sees and has not caused. 0 if there is none. */
  readonly fromOthers: number;
  /** Number and time of the last event of the log if a call of the moderator caused that event, otherwise null. */
  readonly own: { readonly seq: number; readonly at: string } | null;
}

/** Takes the catalog, because the catalog contains the events of this area. */
export const feedSlice = (catalog: EventCatalog): Slice<Feed> => ({
  empty: { seqs: emptyList(), ackedCursor: 0, fromOthers: 0, own: null },
  folds: {},
  each(feed, event) {
    const { seq, at } = event;
    const own = isOwn(feed, event) ? { seq, at } : null;
    if (event.kind === 'events.acknowledged') return { ...feed, ackedCursor: event.data.cursor, own };
    if (!isInFeed(event, catalog)) return own === feed.own ? feed : { ...feed, own };
    return { ...feed, seqs: appended(feed.seqs, seq), fromOthers: own ? feed.fromOthers : seq, own };
  },
});

/**
 * Whether the moderator caused the event. An event that the service added to an append of the moderator counts too: it
 * has the next number and the same time.
 */
const isOwn = ({ own }: Feed, { actor, seq, at }: SessionEvent): boolean =>
  actor === 'moderator' || (actor === 'system' && own?.seq === seq - 1 && own.at === at);

export function isInFeed({ kind, data }: LoggedEvent, catalog: EventCatalog): boolean {
  const known = catalog[kind];
  return known !== undefined && isSeenBy(known, data, 'moderator');
}

/** Number of the latest event that the moderator sees and that is wanted. 0 if there is none. */
export function latestInFeed({ seqs }: Feed, isWanted: (seq: number) => boolean): number {
  let index = seqs.length - 1;
  while (index >= 0 && !isWanted(itemAt(seqs, index) ?? 0)) index -= 1;
  return itemAt(seqs, index) ?? 0;
}

export const headOf = (feed: Feed): number => latestInFeed(feed, () => true);

export const unreadIn = ({ seqs, ackedCursor }: Feed): number =>
  seqs.length - lowerBound(seqs, (seq) => seq > ackedCursor);

/** Numbers of the first `limit` events after a cursor. */
export function eventsAfter({ seqs }: Feed, after: number, limit: number): number[] {
  const from = lowerBound(seqs, (seq) => seq > after);
  return seqs.items.slice(from, Math.min(from + limit, seqs.length));
}
