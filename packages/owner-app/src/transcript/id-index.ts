import { type Message, membersOf, recordsIn, textIn } from './message.ts';

const BUILDERS = ['agent_a', 'agent_b'];

/** Topics, questions and titles of earlier messages. Later messages refer to them by id alone. */
export interface IdIndex {
  /** Adds a message. Call it once for each message, in order. */
  note(message: Message): void;
  /** Id and topic of a decision, such as `d_2 Signature`. If the topic is unknown, the id alone. */
  decision(id: string): string;
  /** Whether both builders have accepted a decision. */
  isAccepted(id: string): boolean;
  /** The text of a question or an intervention. Empty if it is unknown. */
  asked(id: string): string;
  /** The title of a scenario in the latest revision. Empty if it is unknown. */
  scenario(id: string): string;
}

export function createIdIndex(): IdIndex {
  const topics = new Map<string, string>();
  const asked = new Map<string, string>();
  const scenarios = new Map<string, string>();
  const acceptors = new Map<string, Set<string>>();

  const noteAll = ({ body, kind, from }: Message) => {
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
