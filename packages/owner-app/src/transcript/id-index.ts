import { type Message, membersOf, recordsIn, textIn } from './message.ts';

const BUILDERS = ['agent_a', 'agent_b'];

/** What earlier messages said, as far as later ones only name it by id. */
export interface IdIndex {
  /** Takes a message in; to be called once for each, in order. */
  note(message: Message): void;
  /** `d_2 Signature`, or the bare id. */
  decision(id: string): string;
  /** Whether both builders have accepted it. */
  isAccepted(id: string): boolean;
  /** The text of a question or intervention, or nothing. */
  asked(id: string): string;
  /** The title of a scenario, as the latest revision has it, or nothing. */
  scenario(id: string): string;
}

/** An empty ids. */
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
