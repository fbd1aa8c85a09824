import { withFirstWords } from '../text/records/first-words.ts';
import { type Members, type Message, membersOf, recordsIn, textIn, textsIn } from './message.ts';

const BUILDERS = ['agent_a', 'agent_b'];

/**
 * Stores topics, questions and titles from earlier messages, because later messages contain only the ids of records.
 */
export interface IdIndex {
  /** Adds the texts of the records in a view of the session, also of records that no message of the index contains. */
  learn(view: Members): void;
  /** Adds a message to the index. Call it once for each message, in the order of the messages. */
  note(message: Message): void;
  /** Id and topic of a decision, such as `d_2 Signature`. The id alone if the topic is not known. */
  decision(id: string): string;
  isAccepted(id: string): boolean;
  /** The text of a question, an intervention, a finding or a recommendation. Empty if the text is not known. */
  words(id: string): string;
  /**
   * The id of a record with the first words of the text that `words` returns. The id alone if this text is not known.
   */
  named(id: string): string;
  /** The text of a readiness question of a builder. Empty if the text is not known. */
  readinessQuestion(asked: ReadinessQuestionId): string;
  /** The title of a scenario in the latest revision. Empty if the title is not known. */
  scenario(id: string): string;
}

/** Names a readiness question. Each builder has its own questions for each manifest. */
interface ReadinessQuestionId {
  readonly manifestId: string;
  readonly by: string;
  readonly questionId: string;
}

/**
 * The lists in a view of a session whose records have a member `text`. For each list: its name, and the member with the
 * id of a record.
 */
const LISTS = [
  ['questions', 'question_id'],
  ['interventions', 'intervention_id'],
  ['findings', 'finding_id'],
  ['recommendations', 'recommendation_id'],
] as const;

/** @param view a view of the session. Undefined if the index gets all messages of the session from the first message on */
export function createIdIndex(view?: Members): IdIndex {
  const topics = new Map<string, string>();
  const texts = new Map<string, string>();
  const scenarios = new Map<string, string>();
  const acceptors = new Map<string, Set<string>>();

  const learn = (known: Members): void => {
    for (const decision of recordsIn(known, 'decisions')) remember(topics, decision, 'decision_id', 'topic');
    for (const [list, id] of LISTS) for (const record of recordsIn(known, list)) remember(texts, record, id, 'text');
    const manifestId = textIn(membersOf(known.manifest), 'manifest_id');
    for (const report of recordsIn(known, 'readiness'))
      for (const answer of recordsIn(report, 'answers')) {
        const asked = { manifestId, by: textIn(report, 'by'), questionId: textIn(answer, 'question_id') };
        texts.set(keyOf(asked), textIn(answer, 'text'));
      }
  };
  if (view) learn(view);

  const note = ({ body, kind, from }: Message): void => {
    for (const proposal of [...recordsIn(body, 'proposed_decisions'), body])
      remember(topics, proposal, 'decision_id', 'topic');
    for (const question of [...recordsIn(body, 'questions'), body]) remember(texts, question, 'question_id', 'text');
    if (kind === 'intervention.opened') remember(texts, body, 'intervention_id', 'text');
    if (kind === 'finding.raised') remember(texts, body, 'finding_id', 'text');
    if (kind === 'recommendation.made') remember(texts, body, 'recommendation_id', 'text');
    if (kind === 'review.submitted')
      for (const [index, id] of textsIn(body, 'findings').entries())
        texts.set(id, textsIn(body, 'caveats')[index] ?? '');
    if (kind === 'revision.created')
      for (const scenario of recordsIn(membersOf(body.outline), 'tests')) remember(scenarios, scenario, 'id', 'title');
    if (kind !== 'decision.accepted') return;
    const id = textIn(body, 'decision_id');
    acceptors.set(id, new Set([...(acceptors.get(id) ?? []), from]));
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

function remember(
  ids: Map<string, string>,
  record: Readonly<Record<string, unknown>>,
  idMember: string,
  textMember: string,
): void {
  const id = textIn(record, idMember);
  const text = textIn(record, textMember);
  if (id && text) ids.set(id, text);
}
