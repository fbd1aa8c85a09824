import { type Entry, searchText } from './entries.ts';

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
