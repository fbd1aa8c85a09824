import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { type Decision, type Decisions, replacementOf } from '../decisions/state.ts';
import { wordDiff } from '../word-diff.ts';
import type { Location } from './location.ts';
import type { Piece } from './pieces.ts';

/** Maximum length of a text that is quoted in the description of a change. */
const SHORT_CHARS = 80;
/**
 * Maximum length of the value before or after a change, which is cut if it is longer. The owner must be able to read all
 * of an added record, so the limit is far above the size of an ordinary record.
 */
const MAX_VALUE_CHARS = 100_000;
/** Maximum length of the changed words of a text. If they are longer, the text before and after the change is shown. */
const MAX_WORDS_CHARS = 4_000;
/** Members that describe a record in a few words. The first member that the record has is used. */
const SUMMARIES = ['title', 'name', 'text', 'filename'];

type Values = Pick<Piece, 'before' | 'after'>;

/**
 * The description of a change: one line, and the values before and after the change. If only parts of a long text
 * changed, `words` shows the changed words instead of the values.
 */
export interface Meaning {
  readonly meaning: string;
  readonly words?: string;
  readonly before: string | null;
  readonly after: string | null;
}

export function meaningOf(piece: Piece, { words: place }: Location): Meaning {
  const { kind, before, after } = piece;
  if (kind !== 'CHANGED') {
    const value = kind === 'ADDED' ? after : before;
    return { meaning: `${place} ${kind.toLowerCase()}${summaryOf(value, place)}`, ...valuesOf(piece) };
  }
  const words = wordsOf(piece);
  if (words !== undefined) return { meaning: `${place}: text changed`, words, before: null, after: null };
  const isShort = [before, after].every((value) => isScalar(value) && textOf(value).length <= SHORT_CHARS);
  const change = isShort ? `${textOf(before)} → ${textOf(after)}` : 'replaced';
  return { meaning: `${place}: ${change}`, ...valuesOf(piece) };
}

/**
 * Describes a decision that was added to or removed from the list of the contract. The contract contains only the id of
 * the decision. If the decision replaced another, `words` shows the words that differ.
 */
export function meaningOfDecision(decisions: Decisions, piece: Piece, location: Location): Meaning {
  const { kind, before, after } = piece;
  const id = kind === 'REMOVED' ? before : after;
  const decision = isText(id) ? lookUp(decisions.all, id) : undefined;
  if (!decision) return meaningOf(piece, location);
  if (kind === 'REMOVED') return removedDecision(decisions, decision);
  const { decisionId, topic, supersedes, superseded, position } = decision;
  const added = supersedes === null ? `${decisionId} added` : `${decisionId} added, replaces ${supersedes}`;
  const meaning = `decision ${kind === 'ADDED' ? added : `${String(before)} → ${decisionId}`}: ${topic}`;
  const words = wordsOf({ before: superseded, after: position });
  if (words !== undefined) return { meaning, words, before: null, after: null };
  return { meaning, ...valuesOf({ before: superseded, after: position ?? undefined }) };
}

/**
 * Describes a removed decision. If the decision was replaced, its text is left out here: the change that adds the
 * replacement shows which words differ.
 */
function removedDecision(decisions: Decisions, decision: Decision): Meaning {
  const { decisionId, topic, position } = decision;
  const by = replacementOf(decisions, decision);
  const end = by ? `, replaced by ${by.decisionId}` : '';
  return { meaning: `decision ${decisionId} removed${end}: ${topic}`, ...valuesOf({ before: position ?? undefined }) };
}

/**
 * The changed words of a long text. Undefined for any other value, and if the changed words are too long themselves.
 */
function wordsOf({ before, after }: Values): string | undefined {
  if (!isText(before) || !isText(after) || Math.max(before.length, after.length) <= SHORT_CHARS) return undefined;
  const words = wordDiff(before, after);
  return words.length <= MAX_WORDS_CHARS ? words : undefined;
}

const valuesOf = ({ before, after }: Values) => ({
  before: before === undefined ? null : cut(textOf(before), MAX_VALUE_CHARS),
  after: after === undefined ? null : cut(textOf(after), MAX_VALUE_CHARS),
});

/** A colon and the value in a few words. Empty for an empty value, and if the words for the place contain the value. */
function summaryOf(value: unknown, place: string): string {
  const summary = isRecord(value) ? (SUMMARIES.map((name) => value[name]).find(isText) ?? value) : value;
  const parts = Array.isArray(summary) && summary.every(isScalar) ? summary : [summary];
  const texts = parts.map((part) => (isText(part) ? part : (JSON.stringify(part) ?? ''))).join(', ');
  const text = cut(texts.replaceAll(/\s+/g, ' ').trim(), SHORT_CHARS);
  return text === '' || text === '[]' || place.includes(text) ? '' : `: ${text}`;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isScalar = (value: unknown): boolean => value !== undefined && (value === null || typeof value !== 'object');
const textOf = (value: unknown): string => (isText(value) ? value : JSON.stringify(value, null, 1));
const cut = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars).toWellFormed()}…` : text;
