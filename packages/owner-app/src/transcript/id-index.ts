import { type Members, type Message, membersOf, recordsIn, textIn } from './message.ts';

const BUILDERS = ['agent_a', 'agent_b'];

/** Stores topics, questions and titles of earlier messages, because later messages contain only their ids. */
export interface IdIndex {
  /** Adds a message to the index. Call it once for each message, in the order of the messages. */
  note(message: Message): void;
  /** Id and topic of a decision, such as `d_2 Signature`. The id alone if the topic is not known. */
  decision(id: string): string;
  /**
   * The id of the decision that the given decision has superseded. Empty if there is no such decision or if it is not
   * known.
   */
  replaced(id: string): string;
  isAccepted(id: string): boolean;
  /** The text of a question or an intervention. Empty if the text is not known. */
  asked(id: string): string;
  /** The title of a scenario in the latest revision. Empty if the title is not known. */
  scenario(id: string): string;
}

/** Records of the messages before the first message of the index. */
export interface EarlierRecords {
  readonly decisions: readonly { readonly decision_id: string; readonly topic: string }[];
  readonly questions: readonly { readonly question_id: string; readonly text: string | null }[];
  readonly interventions: readonly { readonly intervention_id: string; readonly text: string | null }[];
}

/** @param earlier undefined if the index gets all messages of the session from the first message on */
export function createIdIndex(earlier?: EarlierRecords): IdIndex {
  const topics = new Map<string, string>();
  const asked = new Map<string, string>();
  const scenarios = new Map<string, string>();
  const acceptors = new Map<string, Set<string>>();
  const replaced = createReplacedIndex();
  for (const decision of earlier?.decisions ?? []) remember(topics, { ...decision }, 'decision_id', 'topic');
  for (const question of earlier?.questions ?? []) remember(asked, { ...question }, 'question_id', 'text');
  for (const item of earlier?.interventions ?? []) remember(asked, { ...item }, 'intervention_id', 'text');

  const noteAll = (message: Message) => {
    const { body, kind, from } = message;
    replaced.note(message);
    for (const proposal of [...recordsIn(body, 'proposed_decisions'), body])
      remember(topics, proposal, 'decision_id', 'topic');
    for (const question of [...recordsIn(body, 'questions'), body]) remember(asked, question, 'question_id', 'text');
    if (kind === 'intervention.opened') remember(asked, body, 'intervention_id', 'text');
    if (kind === 'revision.created')
      for (const scenario of recordsIn(membersOf(body.outline), 'tests')) remember(scenarios, scenario, 'id', 'title');
    if (kind !== 'decision.accepted') return;
    const id = textIn(body, 'decision_id');
    acceptors.set(id, new Set([...(acceptors.get(id) ?? []), from]));
  };

  return {
    note: noteAll,
    decision: (id) => [id, topics.get(id)].filter(Boolean).join(' '),
    replaced: replaced.of,
    isAccepted: (id) => BUILDERS.every((builder) => acceptors.get(id)?.has(builder)),
    asked: (id) => asked.get(id) ?? '',
    scenario: (id) => scenarios.get(id) ?? '',
  };
}

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

/**
 * Finds the decision that a decision has superseded. If a proposal does not name the superseded decision, the active
 * decision on the same topic is superseded. Letter case and repeated spaces make no difference between topics.
 */
function createReplacedIndex() {
  const activeOn = new Map<string, string>();
  const replaced = new Map<string, string>();

  const noteProposal = (proposal: Members): void => {
    const id = textIn(proposal, 'decision_id');
    const topic = textIn(proposal, 'topic').trim().toLowerCase().replace(/\s+/g, ' ');
    if (!id || !topic) return;
    const before = textIn(proposal, 'supersedes') || activeOn.get(topic);
    if (before && before !== id && !replaced.has(id)) replaced.set(id, before);
    activeOn.set(topic, id);
  };

  return {
    note({ body, kind }: Message): void {
      for (const proposal of [...recordsIn(body, 'proposed_decisions'), body]) noteProposal(proposal);
      if (kind !== 'decision.withdrawn' && kind !== 'decision.rejected') return;
      for (const [topic, id] of activeOn) if (id === textIn(body, 'decision_id')) activeOn.delete(topic);
    },
    of: (id: string): string => replaced.get(id) ?? '',
  };
}
