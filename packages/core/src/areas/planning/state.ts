import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, valuesOf, withEntry } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { IdempotencyRecord } from '../../kernel/operation/operation.ts';
import { BUILDERS, type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import type { SessionEvent, Slice } from '../catalog.ts';
import { contentOf, emptied } from '../content.ts';
import { ActorName, At, BuilderRole, DecisionId, EvidenceRefs, QuestionId } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { PHASES } from '../session/events.ts';
import { DECISION_STATUSES, decisionEvents } from './events.ts';
import { ADDRESSEES } from './fields.ts';

interface LastTurn {
  readonly seq: number;
  readonly turn_index: number;
  readonly converged: boolean;
}

export interface Turns {
  /** Number of turns posted so far. It is also the number of the next turn, because turns are counted from 0. */
  readonly count: number;
  readonly lastOf: Readonly<Partial<Record<Builder, LastTurn>>>;
  /** The first use of each idempotency key, by role and key. */
  readonly receipts: PersistentMap<IdempotencyRecord>;
}

export const recordKey = (role: string, key: string): string => `${role} ${key}`;

export const turnsSlice: Slice<Turns> = {
  empty: { count: 0, lastOf: {}, receipts: emptyMap() },
  folds: {
    'turn.posted': (turns, { actor, seq, data: { turn_index, converged = false, idempotency } }) => {
      if (!isBuilder(actor)) return turns;
      const last: LastTurn = { seq, turn_index, converged };
      const receipts = idempotency
        ? withEntry(turns.receipts, recordKey(actor, idempotency.key), { seq, fingerprint: idempotency.fingerprint })
        : turns.receipts;
      return { count: turn_index + 1, lastOf: { ...turns.lastOf, [actor]: last }, receipts };
    },
  },
};

export const QuestionView = namedObject('Question', {
  question_id: QuestionId,
  from: ActorName,
  to: z.enum(ADDRESSEES),
  text: z.string(),
  blocking: z.boolean(),
  status: z.enum(['OPEN', 'ANSWERED']),
  asked_at: At,
  answer: z.string().nullable(),
  answered_at: At.nullable(),
});
export const QuestionResult = namedObject('QuestionResult', { question: QuestionView });

export const QuestionChange = QuestionView.pick({ question_id: true, status: true, answered_at: true });
documented.add(QuestionChange, { id: 'QuestionChange' });

/** A question in the state. */
export interface Question extends Readonly<z.output<typeof QuestionView>> {
  readonly seq: number;
  readonly answered_seq: number | null;
}

export const viewQuestion = pickOf(QuestionView);
export const viewQuestionChange = pickOf(QuestionChange);

export interface Questions {
  readonly all: PersistentMap<Question>;
  /** Ids of unanswered questions, oldest first. */
  readonly open: readonly string[];
}

export const questionsSlice: Slice<Questions> = {
  empty: { all: emptyMap(), open: [] },
  folds: {
    'question.asked': ({ all, open }, { seq, at, actor, data: { in_turn: _, ...asked } }) => {
      const unanswered = { status: 'OPEN', answer: null, answered_at: null, answered_seq: null } as const;
      const question: Question = { ...asked, from: actor, asked_at: at, seq, ...unanswered };
      return { all: withEntry(all, asked.question_id, question), open: [...open, asked.question_id] };
    },
    'question.answered': answered,
  },
};

type Answered = Extract<SessionEvent, { kind: 'question.answered' }>;

function answered({ all, open }: Questions, { seq, at, data: { question_id, answer } }: Answered): Questions {
  const question = lookUp(all, question_id);
  if (!question) throw new Error(`An event answers question ${question_id}, which was never asked.`);
  const closed: Question = { ...question, status: 'ANSWERED', answer, answered_at: at, answered_seq: seq };
  return { all: withEntry(all, question_id, closed), open: open.filter((other) => other !== question_id) };
}

export const DecisionView = namedObject('Decision', {
  decision_id: DecisionId,
  topic: z.string(),
  position: z
    .string()
    .nullable()
    .describe('Null in lists for a SUPERSEDED, WITHDRAWN or REJECTED decision; with decision_id, always given.'),
  evidence: EvidenceRefs,
  status: z.enum(DECISION_STATUSES).register(documented, { id: 'DecisionStatus' }),
  active: z.boolean(),
  proposed_by: BuilderRole,
  accepted_by: z
    .array(BuilderRole)
    .describe('Who has accepted the decision, or had accepted it when it was superseded.'),
  revision: z.int(),
  supersedes: DecisionId.nullable(),
  changes: z.string().optional().describe('Words that differ from the superseded position: [-removed-] {+added+}.'),
  reason: z.string().nullable().describe('Why the decision was withdrawn or rejected.'),
  proposed_at: At,
});

/**
 * A decision in the state. Once it is SUPERSEDED, WITHDRAWN or REJECTED, its texts are null and its evidence is
 * empty, because then only the log contains them.
 */
export interface Decision extends Readonly<Omit<z.output<typeof DecisionView>, 'active' | 'changes'>> {
  /** Numbers of the events with the texts of the decision: first the proposal, then each addition of evidence. */
  readonly text_seqs: readonly number[];
  /**
   * The position of the decision that this decision superseded. Absent if this decision superseded none or is no longer
   * active.
   */
  readonly superseded?: string;
}

/** The members that only the log contains once a decision is closed. */
export const DECISION_CONTENT = contentOf(decisionEvents['decision.proposed'].data);

export interface Decisions {
  readonly all: PersistentMap<Decision>;
  /** The id of the latest decision on each topic, by the key that `nameKey` makes. */
  readonly latestOf: PersistentMap<string>;
  /** Ids of decisions that are PROPOSED, oldest first. */
  readonly open: readonly string[];
}

export const decisionsSlice: Slice<Decisions> = {
  empty: { all: emptyMap(), latestOf: emptyMap(), open: [] },
  folds: {
    'decision.proposed': (decisions, event) => {
      if (!isBuilder(event.actor))
        throw new Error(`An event contains a decision proposed by ${event.actor}, who is not a builder.`);
      return proposed(decisions, event, event.actor);
    },
    'decision.substantiated': substantiated,
    'decision.accepted': (decisions, event) =>
      isBuilder(event.actor) ? accepted(decisions, event.data.decision_id, event.actor) : decisions,
    'decision.withdrawn': (decisions, event) =>
      closed(decisions, event.data.decision_id, 'WITHDRAWN', event.data.reason),
    'decision.rejected': (decisions, event) => closed(decisions, event.data.decision_id, 'REJECTED', event.data.reason),
  },
};

type Proposed = Extract<SessionEvent, { kind: 'decision.proposed' }>;

function proposed(decisions: Decisions, { seq, at, data }: Proposed, proposed_by: Builder): Decisions {
  const { evidence = [], supersedes = null, in_turn: _, ...rest } = data;
  const superseded = supersedes === null ? null : (lookUp(decisions.all, supersedes)?.position ?? null);
  const { all, latestOf, open } = supersede(decisions, supersedes);
  const decision: Decision = {
    ...rest,
    evidence,
    supersedes,
    ...(superseded !== null && { superseded }),
    proposed_by,
    accepted_by: [],
    status: 'PROPOSED',
    reason: null,
    proposed_at: at,
    text_seqs: [seq],
  };
  return {
    all: withEntry(all, rest.decision_id, decision),
    latestOf: withEntry(latestOf, nameKey(rest.topic), rest.decision_id),
    open: [...open, rest.decision_id],
  };
}

/**
 * Marks a decision as SUPERSEDED. Removes its position and its evidence from the state, but keeps `accepted_by`. Changes
 * nothing if `id` is null.
 */
const supersede = (decisions: Decisions, id: string | null): Decisions =>
  id === null ? decisions : closed(decisions, id, 'SUPERSEDED', null);

type Substantiated = Extract<SessionEvent, { kind: 'decision.substantiated' }>;

function substantiated(decisions: Decisions, { seq, data }: Substantiated): Decisions {
  const decision = known(decisions, data.decision_id);
  const evidence = [...decision.evidence, ...data.evidence];
  return put(decisions, { ...decision, evidence, text_seqs: [...decision.text_seqs, seq] });
}

export function accepted(decisions: Decisions, id: string, by: Builder): Decisions {
  const decision = known(decisions, id);
  const accepted_by = BUILDERS.filter((builder) => builder === by || decision.accepted_by.includes(builder));
  return put(decisions, {
    ...decision,
    accepted_by,
    status: accepted_by.length === BUILDERS.length ? 'RESOLVED' : 'PROPOSED',
  });
}

type Closed = 'SUPERSEDED' | 'WITHDRAWN' | 'REJECTED';

export const closed = (decisions: Decisions, id: string, status: Closed, reason: string | null): Decisions =>
  put(decisions, { ...emptied(withoutSuperseded(known(decisions, id)), DECISION_CONTENT), status, reason });

const withoutSuperseded = ({ superseded: _, ...decision }: Decision): Decision => decision;

function put({ all, latestOf, open }: Decisions, decision: Decision): Decisions {
  const { decision_id: id, status } = decision;
  return {
    all: withEntry(all, id, decision),
    latestOf,
    open: status === 'PROPOSED' ? open : open.filter((other) => other !== id),
  };
}

function known({ all }: Decisions, id: string): Decision {
  const decision = lookUp(all, id);
  if (!decision) throw new Error(`An event refers to decision ${id}, which was never proposed.`);
  return decision;
}

const replacements = memoizeBy(
  ({ all }: Decisions): ReadonlyMap<string, string> =>
    new Map(
      valuesOf(all).flatMap(({ supersedes, decision_id }) => (supersedes === null ? [] : [[supersedes, decision_id]])),
    ),
);

/** The decision that directly replaced the given decision. Undefined if none did. */
export const replacementOf = (decisions: Decisions, { decision_id }: Decision): Decision | undefined =>
  lookUp(decisions.all, replacements(decisions).get(decision_id) ?? '');

export const isActive = ({ status }: Decision): boolean => status === 'PROPOSED' || status === 'RESOLVED';

export const latestOn = ({ all, latestOf }: Decisions, topic: string): Decision | undefined => {
  const id = lookUp(latestOf, nameKey(topic));
  return id === undefined ? undefined : lookUp(all, id);
};

/** The id of the RESOLVED decision on a topic. Null if there is none. */
export function resolvedOn(decisions: Decisions, topic: string): string | null {
  const latest = latestOn(decisions, topic);
  return latest?.status === 'RESOLVED' ? latest.decision_id : null;
}

/** The id of the decision on a topic that is PROPOSED or RESOLVED. Null if there is none. */
export function activeOn(decisions: Decisions, topic: string): string | null {
  const latest = latestOn(decisions, topic);
  return latest && isActive(latest) ? latest.decision_id : null;
}

/** The newest decision that replaced the given decision, directly or through others. Undefined if none did. */
export function lastReplacement(decisions: Decisions, decision_id: string): Decision | undefined {
  let last: Decision | undefined;
  let next = lookUp(decisions.all, replacements(decisions).get(decision_id) ?? '');
  // The loop ends, because a decision is newer than the decision that it supersedes.
  while (next) {
    last = next;
    next = replacementOf(decisions, next);
  }
  return last;
}

const NominationView = namedObject('Nomination', { by: BuilderRole, candidate: BuilderRole, reason: z.string() });

/** A nomination in the state. */
export interface Nomination extends Readonly<z.output<typeof NominationView>> {
  readonly seq: number;
}

export const viewNomination = pickOf(NominationView);

export const ElectionFields = {
  nominations: z.array(NominationView),
  contract_author: BuilderRole.nullable(),
  technical_reviewer: BuilderRole.nullable(),
};
export type ElectionView = z.output<z.ZodObject<typeof ElectionFields>>;

export const ElectionResult = namedObject('ElectionResult', { ...ElectionFields, phase: z.enum(PHASES) });

export interface Election extends Readonly<Omit<ElectionView, 'nominations'>> {
  readonly nominations: Readonly<Partial<Record<Builder, Nomination>>>;
}

export const electionSlice: Slice<Election> = {
  empty: { nominations: {}, contract_author: null, technical_reviewer: null },
  folds: {
    'session.created': (election, { data: { contract_author: author } }) =>
      author ? { ...election, contract_author: author, technical_reviewer: otherBuilder(author) } : election,
    'author.nominated': (election, { actor: by, data, seq }) => {
      if (!isBuilder(by)) throw new Error(`An event contains a nomination by ${by}, who is not a builder.`);
      return { ...election, nominations: { ...election.nominations, [by]: { by, ...data, seq } } };
    },
    // An appointment by the owner removes earlier nominations. Otherwise one agent could change the author alone, by
    // nominating the candidate that the other agent nominated long ago.
    'author.elected': ({ nominations }, { actor, data }) => ({
      nominations: actor === 'owner' ? {} : nominations,
      ...data,
    }),
  },
};
