import { type EventText, type Part, YOU } from '@parley/core/words';
import { type Digest, digestOf, eventTextOf } from '../../../../src/transcript/event-text.ts';
import { createIdIndex, type KnownRecords, type Message, speakerOf } from '../../../../src/transcript/message.ts';
import type { SessionView } from '../../api/answers.ts';

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
function searchText(entry: Entry): string {
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

export interface Row {
  readonly entry: Entry;
  /** Whether this is the first entry of its day. */
  readonly startsDay: boolean;
  /**
   * Whether the entry is a single line that follows a single line by the same speaker, on the same day and within ten
   * minutes. The speaker's name is then not repeated.
   */
  readonly continues: boolean;
}

const TOGETHER_MS = 10 * 60_000;

export const rowsOf = (entries: readonly Entry[]): Row[] =>
  entries.map((entry, index) => {
    const before = entries[index - 1];
    const startsDay = before === undefined || dayOf(before.at) !== dayOf(entry.at);
    return { entry, startsDay, continues: !startsDay && before !== undefined && goesOn(before, entry) };
  });

/** The day of an entry, in the time zone of the browser. */
const dayOf = (at: string): string => new Date(at).toDateString();

const goesOn = (before: Entry, entry: Entry): boolean =>
  before.from === entry.from &&
  before.name === entry.name &&
  isBrief(before) &&
  isBrief(entry) &&
  Date.parse(entry.at) - Date.parse(before.at) < TOGETHER_MS;

/** Whether an entry consists of a heading only. */
const isBrief = ({ eventText }: Entry): boolean =>
  eventText.heading !== '' &&
  eventText.text === undefined &&
  eventText.parts === undefined &&
  eventText.outcome === undefined;

const LINE_PX = 24;
const HEAD_PX = 34;
const LETTER_PX = 7.5;
const LABEL_PX = 140;

/**
 * Estimates the height of a folded row that was not measured yet. With a good estimate, the scroll bar hardly jumps.
 */
export function guessHeight({ entry, startsDay, continues }: Row, widthPx: number): number {
  const { heading, text = '', parts = [], outcome } = entry.eventText;
  const head = heading === '' ? 0 : continues ? LINE_PX + 4 : HEAD_PX + 16;
  const digest = digestIn(entry);
  const lines = digest
    ? 1 + digest.lines.reduce((sum, line) => sum + linesOf(line.text, widthPx - LABEL_PX), 0)
    : linesOf(text, widthPx) + parts.reduce((sum, part) => sum + partLines(part, widthPx), 0);
  return head + lines * LINE_PX + (outcome ? LINE_PX + 24 : 0) + (startsDay ? 40 : 0);
}

function partLines({ title = '', text = '', evidence = [] }: Part, widthPx: number): number {
  const excerpts = evidence.reduce((sum, { excerpt }) => sum + 1 + linesOf(excerpt, widthPx - LABEL_PX), 0);
  return Math.max(1, (title === '' ? 0 : 1) + linesOf(text, widthPx - LABEL_PX)) + excerpts;
}

const linesOf = (text: string, widthPx: number): number => {
  if (text === '') return 0;
  const letters = Math.max(20, widthPx / LETTER_PX);
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / letters)), 0);
};

export const TOPICS = ['all', 'conversation', 'decisions'] as const;
export type Topic = (typeof TOPICS)[number];

export interface Filter {
  readonly topic: Topic;
  /** The role whose entries are shown. Empty for all roles. */
  readonly speaker: string;
  /** Words separated by spaces. An entry must contain all of them. */
  readonly words: string;
}

export const NO_FILTER: Filter = { topic: 'all', speaker: '', words: '' };

/** The kinds of messages that belong to the conversation. Messages about the contract and the test board do not. */
const CONVERSATION: ReadonlySet<Entry['kind']> = new Set<Entry['kind']>([
  'session.created',
  'turn.posted',
  'evidence.posted',
  'question.asked',
  'question.answered',
  'decision.proposed',
  'decision.substantiated',
  'intervention.opened',
  'intervention.answered',
  'followup.noted',
  'recommendation.made',
  'recommendation.answered',
]);

const DECISIONS: ReadonlySet<Entry['kind']> = new Set<Entry['kind']>([
  'decision.proposed',
  'decision.substantiated',
  'decision.accepted',
  'decision.withdrawn',
  'decision.rejected',
  'author.nominated',
  'author.elected',
  'phase.changed',
  'changes.requested',
  'approval.given',
  'contract.approved',
  'build.authorized',
  'deployment.authorized',
  'activation.authorized',
  'finding.overridden',
  'moderator_review.overridden',
  'recommendation.answered',
  'defect.waived',
  'session.ended',
]);

const isAbout = ({ kind, body }: Entry, topic: Topic): boolean => {
  if (topic === 'all') return true;
  if (topic === 'conversation') return CONVERSATION.has(kind);
  return DECISIONS.has(kind) || (kind === 'turn.posted' && (body.proposed_decisions ?? []).length > 0);
};

export const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the entries that match the filter. For an empty filter, returns `entries` itself. */
export function filterEntries(entries: readonly Entry[], { topic, speaker, words }: Filter): readonly Entry[] {
  const sought = wordsIn(words);
  if (topic === 'all' && speaker === '' && sought.length === 0) return entries;
  return entries.filter(
    (entry) =>
      isAbout(entry, topic) &&
      (speaker === '' || entry.from === speaker) &&
      sought.every((word) => searchText(entry).includes(word)),
  );
}

/**
 * Lists the roles that have entries, in the order of their first entry. The owner is one role, even if several people
 * acted for the owner.
 */
export const speakersIn = (entries: readonly Entry[]): { readonly role: string; readonly name: string }[] => [
  ...new Map(entries.map(({ from, name }) => [from, { role: from, name: from === 'owner' ? 'Owner' : name }])).values(),
];

/** Splits a text at the searched words. In the result, every second piece is a searched word. */
export function cutAtWords(text: string, words: readonly string[]): string[] {
  if (words.length === 0) return [text];
  const literal = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.split(new RegExp(`(${literal.join('|')})`, 'giu'));
}

/** The reader's position in the list. If `isAtEnd` is true, the list scrolls to new messages. */
export interface ListPosition {
  readonly isAtEnd: boolean;
  /** The last message that the reader has seen at the end of the list. */
  readonly seenId: number;
  readonly topPx: number;
}

export const AT_THE_END: ListPosition = { isAtEnd: true, seenId: 0, topPx: 0 };

/** The reader is at the end if at most this many pixels of the list are below the visible part. */
export const NEAR_PX = 48;

interface Scroll {
  readonly topPx: number;
  readonly belowPx: number;
}

/**
 * Returns the reader's position after a scroll event. The reader leaves the end only by scrolling up, so changes of the
 * list's height do not count.
 */
export function scrolled(place: ListPosition, { topPx, belowPx }: Scroll, lastId: number): ListPosition {
  if (belowPx <= NEAR_PX) return { isAtEnd: true, seenId: lastId, topPx };
  const hasLeft = !place.isAtEnd || topPx < place.topPx;
  return { ...place, isAtEnd: !hasLeft, topPx };
}

/**
 * Returns the reader's position after new messages. A reader at the end has seen them. If `isNews` is false, the
 * messages existed when the page was opened, and count as seen.
 */
export const grown = (place: ListPosition, lastId: number, isNews: boolean): ListPosition =>
  (place.isAtEnd || !isNews) && place.seenId !== lastId ? { ...place, seenId: lastId } : place;

/**
 * Returns the number of messages after the last message that the reader has seen. Returns 0 if the reader is at the
 * end.
 */
export function newBelow({ isAtEnd, seenId }: ListPosition, entries: readonly Entry[]): number {
  if (isAtEnd) return 0;
  return entries.length - 1 - indexAt(entries, seenId);
}

/**
 * Returns the index of the entry with this number or, if there is none, of the last entry before this number. A record
 * of a turn has no entry of its own, because the entry of the turn shows the record.
 */
export function indexAt(entries: readonly Entry[], id: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.id ?? 0) <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Reads the number of a message from the fragment of an address. Returns null if the fragment has another form. */
export function linkedId(hash: string): number | null {
  const [, id] = /^#m-(\d{1,10})$/.exec(hash) ?? [];
  return id === undefined ? null : Number(id);
}

export const linkTo = (id: number): string => `#m-${id}`;
