import type { Answer, EventEntry, SentEvent } from '@parley/core/client';
import type { KnownTexts, ReadinessQuestionId } from '@parley/core/words';
import { withFirstWords } from '../text/visible.ts';

/** Id of the holder of the owner key. */
export const FIRST_PERSON_ID = 'owner';

/** An entry of the transcript, or an event of the log in the same form. `kind` says which members `body` has. */
export type Message = EventEntry;

/** An event of the log in the form of a transcript entry. */
export const messageOf = ({ seq, at, actor, person, kind, data }: SentEvent): Message =>
  ({ id: seq, at, from: actor, person, kind, body: data }) as Message;

/**
 * The name of the speaker of a message: `Ada (owner)` for a person who acted for the owner, or `Ada (you)` if this
 * person is the reader. If no person is known, as for an agent, or if the person is the holder of the owner key,
 * the name is that of the role.
 *
 * @param me the id of the reader, if the text is for one reader
 */
export const speakerOf = (
  { from, person }: Pick<Message, 'from' | 'person'>,
  nameOf: (role: string) => string,
  me?: string,
): string => {
  if (!person || person.id === FIRST_PERSON_ID) return nameOf(from);
  return person.id === me ? youText(person.name) : `${person.name} (${from})`;
};

export const youText = (name: string): string => `${name} (you)`;

type View = Answer<'view'>;
type Listed<
  L extends 'decisions' | 'questions' | 'interventions' | 'findings' | 'recommendations',
  M extends string,
> = readonly Pick<View[L][number], M & keyof View[L][number]>[];
type Report = View['readiness'][number];

/** The records of a view of the session whose texts the index contains. */
export interface KnownRecords {
  readonly decisions: Listed<'decisions', 'decision_id' | 'topic'>;
  readonly questions: Listed<'questions', 'question_id' | 'text'>;
  readonly interventions: Listed<'interventions', 'intervention_id' | 'text'>;
  readonly findings: Listed<'findings', 'finding_id' | 'text'>;
  readonly recommendations: Listed<'recommendations', 'recommendation_id' | 'text'>;
  readonly manifest: Pick<NonNullable<View['manifest']>, 'manifest_id'> | null;
  readonly readiness: readonly (Pick<Report, 'by'> & {
    readonly answers: readonly Pick<Report['answers'][number], 'question_id' | 'text'>[];
  })[];
}

const BUILDERS = ['agent_a', 'agent_b'];

/**
 * Stores topics, questions and titles from earlier messages, because later messages contain only the ids of records.
 */
interface IdIndex extends KnownTexts {
  /** Adds the texts of the records in a view of the session, also of records that no message of the index contains. */
  learn(view: KnownRecords): void;
  /** Adds a message to the index. Call it once for each message, in the order of the messages. */
  note(message: Message): void;
}

/** @param view a view of the session. Undefined if the index gets all messages of the session from the first message on */
export function createIdIndex(view?: KnownRecords): IdIndex {
  const topics = new Map<string, string>();
  const texts = new Map<string, string>();
  const scenarios = new Map<string, string>();
  const acceptors = new Map<string, Set<string>>();

  const learn = (known: KnownRecords): void => {
    const { decisions, questions, interventions, findings, recommendations, manifest, readiness } = known;
    for (const { decision_id, topic } of decisions) remember(topics, decision_id, topic);
    for (const { question_id, text } of questions) remember(texts, question_id, text);
    for (const { intervention_id, text } of interventions) remember(texts, intervention_id, text);
    for (const { finding_id, text } of findings) remember(texts, finding_id, text);
    for (const { recommendation_id, text } of recommendations) remember(texts, recommendation_id, text);
    const manifestId = manifest?.manifest_id ?? '';
    for (const { by, answers } of readiness)
      for (const { question_id, text } of answers) texts.set(keyOf({ manifestId, by, questionId: question_id }), text);
  };
  if (view) learn(view);

  const note = ({ kind, body, from }: Message): void => {
    if (kind === 'turn.posted') {
      for (const { decision_id, topic } of body.proposed_decisions ?? []) remember(topics, decision_id, topic);
      for (const { question_id, text } of body.questions ?? []) remember(texts, question_id, text);
    } else if (kind === 'decision.proposed') remember(topics, body.decision_id, body.topic);
    else if (kind === 'question.asked') remember(texts, body.question_id, body.text);
    else if (kind === 'intervention.opened') remember(texts, body.intervention_id, body.text);
    else if (kind === 'finding.raised') remember(texts, body.finding_id, body.text);
    else if (kind === 'recommendation.made') remember(texts, body.recommendation_id, body.text);
    else if (kind === 'review.submitted')
      for (const [index, id] of (body.findings ?? []).entries()) texts.set(id, body.caveats[index] ?? '');
    else if (kind === 'revision.created')
      for (const { id, title } of body.outline?.tests ?? []) remember(scenarios, id, title);
    else if (kind === 'decision.accepted')
      acceptors.set(body.decision_id, new Set([...(acceptors.get(body.decision_id) ?? []), from]));
  };

  return {
    learn,
    note,
    decision: (id) => [id, topics.get(id)].filter(Boolean).join(' '),
    isAccepted: (id) => BUILDERS.every((builder) => acceptors.get(id)?.has(builder)),
    words: (id) => texts.get(id) ?? '',
    named: (id) => withFirstWords(id, texts.get(id) ?? ''),
    readinessQuestion: (asked) => texts.get(keyOf(asked)) ?? '',
    scenario: (id) => scenarios.get(id) ?? '',
  };
}

const keyOf = ({ manifestId, by, questionId }: ReadinessQuestionId): string => `${manifestId} ${by} ${questionId}`;

function remember(ids: Map<string, string>, id: string, text: string | null): void {
  if (text) ids.set(id, text);
}
