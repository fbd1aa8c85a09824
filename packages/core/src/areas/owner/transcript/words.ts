import { z } from 'zod';
import { isRecord } from '../../../kernel/text/json-value.ts';
import { findTerm, isBeginning, lowerOf, type Term, type TermMatch } from './find-term.ts';

const MAX_WORDS = 10;

export const Words = z
  .string()
  .max(200)
  .regex(/[^\s"]/, 'Must contain a word.')
  .describe(
    'Words to search for; only the first ten count. All must occur, in any order and case. A word is found where a word of the text begins with it; words in double quotes are a phrase. Spaces and hyphens inside a word do not count: timeout, time-out and "time out" find the same.',
  );

/** Matches a hyphen inside a word. */
const INNER_HYPHEN = /(?<=[\p{L}\p{N}])[-\u2010\u2011]+(?=[\p{L}\p{N}])/u;

/**
 * The terms of a search, without repetitions. A word with hyphens is a phrase of its parts. Ignores an unpaired quotation
 * mark, and all words after the tenth.
 */
export function termsOf(query: string): Term[] {
  const terms = new Map<string, Term>();
  let left = MAX_WORDS;
  const add = (words: readonly string[]): void => {
    const term = words.slice(0, left);
    left -= term.length;
    if (term.length > 0) terms.set(term.join(' '), term);
  };
  const parts = query.split('"');
  parts.forEach((part, index) => {
    const words = lowerOf(part).split(/\s+/).filter(Boolean);
    const terms = words.map((word) => word.split(INNER_HYPHEN));
    if (index % 2 === 1 && index < parts.length - 1) add(terms.flat());
    else for (const term of terms) add(term);
  });
  return [...terms.values()];
}

/** All texts in a value, in their order. Numbers and names of members are left out. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  else if (isRecord(value)) for (const member of Object.values(value)) yield* textsOf(member);
}

/**
 * Whether the texts of a value together contain all terms. The terms may be in different texts, or in one word in their
 * order: "timeout" contains `time` and `out`.
 */
export const hasTerms = (value: unknown, terms: readonly Term[]): boolean =>
  hasEach(value, terms) || (terms.length > 1 && hasEach(value, [terms.flat()]));

function hasEach(value: unknown, terms: readonly Term[]): boolean {
  const left = new Set(terms);
  for (const text of textsOf(value)) {
    const lower = lowerOf(text);
    for (const term of left) if (findTerm(lower, term)) left.delete(term);
    if (left.size === 0) return true;
  }
  return left.size === 0;
}

/** A part of a text in which searched words occur, and the positions of the words in this part. */
export const Excerpt = z.strictObject({
  excerpt: z.string().describe('The part of the text, at most 300 characters; … stands where the text was shortened.'),
  marks: z
    .array(z.strictObject({ start: z.int(), end: z.int() }))
    .describe('Positions of the words, in UTF-16 units; end is the position after the word.'),
  /** The searched words that are not in the excerpt but elsewhere in the same record. */
  elsewhere: z.array(z.string()).optional(),
});

const EXCERPT_BEFORE = 80;
const EXCERPT_CHARS = 280;
/** Maximum number of matches of a term that are compared; bounds the time for a text that repeats a word. */
const MAX_MATCHES = 1_000;
/** Number of characters in which the words of an excerpt must be. */
const WINDOW_CHARS = EXCERPT_CHARS - EXCERPT_BEFORE;

/**
 * Finds the text in a value that contains the highest number of the searched terms, and shortens it. If several texts
 * contain equally many of them, the text with the most of them as whole words is preferred, then prose to a text of
 * several lines, such as a schema, and this to an id. If the terms stand together in a text, they are searched as one
 * phrase.
 */
export function excerptOf(value: unknown, searched: readonly Term[]): z.output<typeof Excerpt> {
  const terms = asPhrase(value, searched);
  let best = { text: '', rank: 0 };
  for (const text of textsOf(value)) {
    const rank = rankOf(text, terms);
    if (rank > best.rank) best = { text, rank };
  }
  const { text } = best;
  const first = windowStart(lowerOf(text), terms);
  const start = wholeCharacter(text, Math.max(0, first - EXCERPT_BEFORE));
  const end = wholeCharacter(text, start + EXCERPT_CHARS);
  const before = start > 0 ? '…' : '';
  const shown = text.slice(start, end).replace(/[\n\r\t]/g, ' ');
  const shift = before.length - start;
  const marks = matchesIn(lowerOf(text.slice(0, end)), terms, start).map((match) => ({
    start: match.start + shift,
    end: match.end + shift,
  }));
  const lowerShown = lowerOf(shown);
  const elsewhere = terms.filter((term) => !findTerm(lowerShown, term)).map((term) => term.join(' '));
  return {
    excerpt: `${before}${shown}${end < text.length ? '…' : ''}`,
    marks,
    ...(elsewhere.length > 0 && { elsewhere }),
  };
}

/**
 * The excerpts of all texts in a value that contain as many of the terms as the text that contains the most, without
 * repetitions and the best first, and the rank of the best.
 */
export function bestExcerpts(value: unknown, searched: readonly Term[]): { rank: number; excerpts: string[] } {
  const terms = asPhrase(value, searched);
  const texts = [...textsOf(value)]
    .map((text) => ({ text, rank: rankOf(text, terms) }))
    .toSorted((one, other) => other.rank - one.rank);
  const rank = texts[0]?.rank ?? 0;
  const best = texts.filter((text) => text.rank > 0 && text.rank >= rank - (rank % PER_TERM));
  const ofPhrase = terms === searched ? 0 : searched.length * PER_TERM;
  return { rank: rank + ofPhrase, excerpts: [...new Set(best.map(({ text }) => excerptOf(text, terms).excerpt))] };
}

/** The terms as one phrase if they stand together in a text of the value. Otherwise the terms. */
const asPhrase = (value: unknown, terms: readonly Term[]): readonly Term[] =>
  terms.length > 1 && hasEach(value, [terms.flat()]) ? [terms.flat()] : terms;

/** The rank of one term more. It exceeds the rank of `MAX_WORDS` whole words of prose. */
const PER_TERM = 100;
const PER_WHOLE_WORD = 4;

/** Compares texts: by the number of terms that they contain, then of whole words, then by their form. */
function rankOf(text: string, terms: readonly Term[]): number {
  const lower = lowerOf(text);
  const found = terms.filter((term) => findTerm(lower, term));
  if (found.length === 0) return 0;
  const whole = found.filter((term) => matchesOf(lower, term).some(({ end }) => isBeginning(lower, end)));
  const form = /\n/.test(text) ? 1 : /\s/.test(text) ? 2 : 0;
  return found.length * PER_TERM + whole.length * PER_WHOLE_WORD + form;
}

/**
 * The position of the first term in the part of a text that contains the highest number of different terms and fits in
 * an excerpt. Of such parts, the first.
 */
function windowStart(lower: string, terms: readonly Term[]): number {
  const matches = terms
    .flatMap((term) => wholeFirst(lower, matchesOf(lower, term)).map((match) => ({ ...match, term })))
    .toSorted((one, other) => one.start - other.start);
  let best = { start: 0, count: 0 };
  const last = new Map<Term, number>();
  for (const { start, end, term } of matches.toReversed()) {
    last.set(term, end);
    const count = [...last.values()].filter((position) => position <= start + WINDOW_CHARS).length;
    if (count >= best.count) best = { start, count };
  }
  return best.start;
}

/** The matches that are whole words. All matches if none is a whole word. */
function wholeFirst(lower: string, matches: readonly TermMatch[]): readonly TermMatch[] {
  const whole = matches.filter(({ end }) => isBeginning(lower, end));
  return whole.length > 0 ? whole : matches;
}

/** The first matches of a term in a text, from a position on, at most `MAX_MATCHES`. */
function matchesOf(lower: string, term: Term, from = 0): TermMatch[] {
  const all: TermMatch[] = [];
  for (
    let match = findTerm(lower, term, from);
    match && all.length < MAX_MATCHES;
    match = findTerm(lower, term, match.end)
  )
    all.push(match);
  return all;
}

/**
 * The matches of the terms in a text, from a position on. If matches overlap, only the first is returned; of matches
 * with the same start, the longest.
 */
function matchesIn(lower: string, terms: readonly Term[], from: number): TermMatch[] {
  let last = 0;
  return terms
    .flatMap((term) => matchesOf(lower, term, from))
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      if (start < last) return false;
      last = end;
      return true;
    });
}

/** Moves a position inside a surrogate pair to the beginning of the pair. */
const wholeCharacter = (text: string, position: number): number =>
  /[\udc00-\udfff]/.test(text.charAt(position)) ? Math.max(0, position - 1) : Math.min(position, text.length);
