import { z } from 'zod';
import { isRecord } from '../../../kernel/text/json-value.ts';

const MAX_WORDS = 10;

export const Words = z
  .string()
  .max(200)
  .regex(/\S/, 'Must contain a word.')
  .describe(
    'Words to search for: finds texts that contain the first ten words, in any order and in upper or lower case.',
  );

/** The words of a search in lower case, without repetitions. Words after the tenth are ignored. */
export const wordsOf = (query: string): string[] =>
  [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS);

/** All texts in a value, in their order. Numbers and names of members are left out. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  else if (isRecord(value)) for (const member of Object.values(value)) yield* textsOf(member);
}

/** Whether the texts of a value together contain all words. The words may be in different texts. */
export function hasWords(value: unknown, words: readonly string[]): boolean {
  const left = new Set(words);
  for (const text of textsOf(value)) {
    const lower = text.toLowerCase();
    for (const word of left) if (lower.includes(word)) left.delete(word);
    if (left.size === 0) return true;
  }
  return left.size === 0;
}

/** A part of a text in which searched words occur, and the positions of the words in this part. */
export const Excerpt = z.strictObject({
  excerpt: z.string().describe('The part of the text, at most 300 characters; … stands where the text was shortened.'),
  marks: z
    .array(z.strictObject({ start: z.int(), end: z.int() }))
    .describe('Positions of the words in the excerpt, in UTF-16 units; end is the position after the word.'),
});

const EXCERPT_BEFORE = 80;
const EXCERPT_CHARS = 280;

/**
 * Finds the text in a value that contains the highest number of the searched words, and shortens it. If several texts
 * contain equally many of them, a text with spaces is preferred to an id.
 */
export function excerptOf(value: unknown, words: readonly string[]): z.output<typeof Excerpt> {
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'giu');
  let best = { text: '', rank: 0 };
  for (const text of textsOf(value)) {
    const lower = text.toLowerCase();
    const count = words.filter((word) => lower.includes(word)).length;
    const rank = count === 0 ? 0 : count + (/\s/.test(text) ? 0.5 : 0);
    if (rank > best.rank) best = { text, rank };
  }
  const { text } = best;
  const first = text.search(pattern);
  const start = wholeCharacter(text, Math.max(0, first - EXCERPT_BEFORE));
  const end = wholeCharacter(text, start + EXCERPT_CHARS);
  const shown = text.slice(start, end).replace(/[\n\r\t]/g, ' ');
  const excerpt = `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
  const marks = Array.from(excerpt.matchAll(pattern), ({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
  return { excerpt, marks };
}

/** Moves a position inside a surrogate pair to the beginning of the pair. */
const wholeCharacter = (text: string, position: number): number =>
  /[\udc00-\udfff]/.test(text.charAt(position)) ? Math.max(0, position - 1) : Math.min(position, text.length);
