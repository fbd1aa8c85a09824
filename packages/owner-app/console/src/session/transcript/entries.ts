import { type EventText, YOU } from '@parley/core/words';
import { type Digest, digestOf } from '../../../../src/transcript/digest.ts';
import { eventTextOf } from '../../../../src/transcript/event-text.ts';
import { createIdIndex, type KnownRecords } from '../../../../src/transcript/id-index.ts';
import { type Message, speakerOf } from '../../../../src/transcript/message.ts';
import type { SessionView } from '../../api/types.ts';

/** A message with the name of its speaker and its words. */
export type Entry = Message & {
  readonly name: string;
  readonly eventText: EventText;
  /** `eventText` for a reader who sent the message. */
  readonly toYou: EventText;
};

const NAMES: Readonly<Record<string, string>> = {
  agent_a: 'Agent A',
  agent_b: 'Agent B',
  moderator: 'Moderator',
  owner: 'Owner',
  system: 'Parley',
};

/** What a view of the session says about messages that are not loaded: the agents' names and the texts of records. */
type Known = KnownRecords & { readonly agents: readonly Pick<SessionView['agents'][number], 'role' | 'name'>[] };

/**
 * Returns a function that converts the events of a session to entries. Call that function with all events so far. It
 * processes only the events since its last call or, if earlier events were added, all events.
 */
export function createTranscript(): (messages: readonly Message[], known?: Known) => readonly Entry[] {
  let ids = createIdIndex();
  let names: Readonly<Record<string, { readonly name: string | null }>> = {};
  let firstId = 0;
  let taken = 0;
  let entries: readonly Entry[] = [];
  const nameOf = (role: string): string => names[role]?.name || (NAMES[role] ?? role);

  function entryOf(message: Message): Entry[] {
    ids.note(message);
    if (message.kind === 'session.created') names = message.body.agents;
    const eventText = eventTextOf(message, { ids, nameOf });
    if (!eventText) return [];
    const toYou = (message.from === 'owner' && eventTextOf(message, { ids, nameOf, say: YOU })) || eventText;
    return [{ ...message, name: speakerOf(message, nameOf), eventText, toYou }];
  }

  return (messages, known) => {
    const [first] = messages;
    if (first && first.id !== firstId) {
      ids = createIdIndex();
      names = Object.fromEntries((known?.agents ?? []).map((agent) => [agent.role, agent]));
      firstId = first.id;
      taken = 0;
      entries = [];
    }
    if (messages.length > taken) {
      if (known) ids.learn(known);
      entries = [...entries, ...messages.slice(taken).flatMap(entryOf)];
      taken = messages.length;
    }
    return entries;
  };
}

const pieces = ({ id, name, eventText: { heading, text, parts = [], outcome } }: Entry): (string | undefined)[] => [
  `#${id}`,
  name,
  heading,
  text,
  ...parts.flatMap(({ label, title, text: words, evidence = [] }) => [
    label,
    title,
    words,
    ...evidence.flatMap(({ source, excerpt }) => [source, excerpt]),
  ]),
  outcome,
];

const wordsOf = new WeakMap<Entry, string>();

/** Returns the text of an entry in lower case, for the search. The text is computed once for each entry. */
export function searchText(entry: Entry): string {
  const known = wordsOf.get(entry);
  if (known !== undefined) return known;
  const text = pieces(entry).filter(Boolean).join('\n').toLowerCase();
  wordsOf.set(entry, text);
  return text;
}

const digests = new WeakMap<Entry, Digest | null>();

/** Returns the short form in which a long entry is shown, or null for a short entry. Computed once for each entry. */
export function digestIn(entry: Entry): Digest | null {
  const known = digests.get(entry);
  if (known !== undefined) return known;
  const digest = digestOf(entry.eventText);
  digests.set(entry, digest);
  return digest;
}
