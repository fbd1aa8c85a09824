import { z } from 'zod';
import { EVENTS_PER_READ } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { itemAt, lowerBound } from '../../kernel/log/persistent-collections.ts';
import { messagesAfter } from '../../kernel/log/transcript.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { PersonView } from '../approvals/state.ts';
import { subjectOf } from '../feed/subject.ts';
import { ActorName, MessageCursor } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkAfter, MessagePage, pageSeqs, viewPage } from '../session/work.ts';
import type { SessionState } from '../state.ts';

/** A searched word, or the words of a phrase in their order. The words are in lower case and contain no space. */
export type Term = readonly string[];

/** Where a term was found in a text, in UTF-16 units; `end` is the position after the term. */
interface TermMatch {
  readonly start: number;
  readonly end: number;
}

/** The text in lower case, with the same length. `toLowerCase` alone makes two characters of U+0130. */
export const lowerOf = (text: string): string => text.replaceAll('\u0130', 'i').toLowerCase();

/**
 * Finds the first match of a term at or after `from`: where a word of the text begins with the term. The words of a
 * phrase may have any spaces and hyphens between them. A term that begins with neither letter nor digit is found anywhere.
 *
 * Also finds a term that the text writes in other parts, as `timeout` in "time-out" and `time out` in "timeout". Such a
 * match must end where a word of the text ends.
 *
 * If the term occurs inside a word, the search continues at the next word. So each word of the text is compared with
 * the term only once, for any text and any term.
 *
 * @param lower the text, from `lowerOf`
 */
function findTerm(lower: string, term: Term, from = 0): TermMatch | undefined {
  const head = term[0]?.charAt(0) ?? '';
  for (let start = lower.indexOf(head, from); start !== -1; ) {
    const end = isBeginning(lower, start) ? endOf(lower, start, term) : undefined;
    if (end !== undefined) return { start, end };
    start = lower.indexOf(head, nextBeginning(lower, start + 1));
  }
  return undefined;
}

/** The position after a term that begins at `start`. Undefined if the term does not stand there. */
function endOf(lower: string, start: number, term: Term): number | undefined {
  let end = start;
  let isOther = false;
  for (const [index, word] of term.entries()) {
    if (index > 0) {
      const next = afterSeparators(lower, end);
      if (next === end) isOther = true;
      end = next;
    }
    const read = readWord(lower, end, word);
    if (!read) return undefined;
    if (read.isSplit) isOther = true;
    end = read.end;
  }
  return isOther && !isBeginning(lower, end) ? undefined : end;
}

interface ReadWord {
  readonly end: number;
  readonly isSplit: boolean;
}

/** Reads a word that the text may write in parts. A single letter before a space is not a part: "a way" is not `away`. */
function readWord(lower: string, from: number, word: string): ReadWord | undefined {
  let end = from;
  let part = from;
  for (let at = 0; at < word.length; at += 1) {
    if (at > 0 && lower.charCodeAt(end) !== word.charCodeAt(at)) {
      if (end - part < 2 && isSpace(lower, end)) return undefined;
      part = afterSeparators(lower, end);
      end = part;
    }
    if (lower.charCodeAt(end) !== word.charCodeAt(at)) return undefined;
    end += 1;
  }
  return { end, isSplit: part !== from };
}

function afterSeparators(text: string, from: number): number {
  let position = from;
  while (isSpace(text, position) || isHyphen(text, position)) position += 1;
  return position;
}

const HYPHENS = new Set([0x2d, 0x2010, 0x2011]);

const isHyphen = (text: string, position: number): boolean => HYPHENS.has(text.charCodeAt(position));

/**
 * The text without spaces and hyphens. If the result for a text lacks the result for a term, the text does not contain
 * the term.
 *
 * @param json a text, or the JSON of a text
 */
export const withoutSeparators = (json: string): string =>
  json.replaceAll(/(\\\\)|\\[bfnrt]|[\s\-\u2010\u2011]/g, '$1');

function isSpace(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code < ASCII_END ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : /\s/.test(text.charAt(position));
}

/** Whether no word goes on at this position: the character there, or the one before, is neither letter nor digit. */
const isBeginning = (text: string, position: number): boolean =>
  !(isInWord(text, position - 1) && isInWord(text, position));

function nextBeginning(text: string, from: number): number {
  let position = from;
  while (position < text.length && !isBeginning(text, position)) position += 1;
  return position;
}

/**
 * Matches a letter, a digit or a mark. Does not match a character of a script that is written without spaces between
 * words, because each such character can begin a word.
 */
const IN_WORD =
  /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}\p{M}]$/u;

/**
 * The first character code after ASCII. ASCII characters are tested by their codes, in a tenth of the time that a
 * regular expression takes.
 */
const ASCII_END = 0x80;

function isInWord(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  if (code < ASCII_END) return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a);
  return IN_WORD.test(text.charAt(position));
}

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

const MAX_LAST = 500;

const TranscriptInput = z.strictObject({
  after: MessageCursor.optional().describe('Id of the last message you have read; the page begins after it.'),
  last: z.int().min(1).max(MAX_LAST).optional().describe('Number of messages to read from the end of the transcript.'),
  by: ActorName.optional().describe('Only messages of this role.'),
  kind: z
    .string()
    .max(60)
    .optional()
    .describe('Only messages of this kind, such as turn.posted, or of a group of kinds, such as turn.'),
  grep: Words.optional(),
});
type Input = z.output<typeof TranscriptInput>;

type Page = z.output<typeof MessagePage>;

/** A page of messages for the owner. A message of the owner names the person who wrote it. */
const OwnerMessagePage = MessagePage.extend({
  messages: z.array(MessagePage.shape.messages.element.extend({ person: PersonView.optional() })),
});
documented.add(OwnerMessagePage, { id: 'OwnerMessagePage' });

/** Domain 3. Reads the transcript page by page, including messages that only the owner sees. */
export const transcript = defineOperation({
  name: 'transcript',
  summary:
    'Read the transcript in pages of 50 messages: from the start, after a message, or the latest ones. Select a role or a kind of message, or read all.',
  access: { owner: true },
  input: TranscriptInput,
  output: OwnerMessagePage,
  errors: ['INVALID_INPUT'],

  check(state, { after, last }, { role }) {
    if (after !== undefined && last !== undefined)
      refuseInput([{ path: 'last', message: 'Must be left out with `after`, which says where the page begins.' }]);
    checkAfter(state, role, after);
  },

  reads: (state, input) =>
    isFiltered(input)
      ? messagesAfter(state.transcript, 'owner', startOf(state, input), EVENTS_PER_READ)
      : pageSeqs(state, 'owner', startOf(state, input)),

  reply(state, input, { loaded }) {
    const after = startOf(state, input);
    if (!isFiltered(input)) return withPeople(viewPage(state, 'owner', after, loaded), loaded);
    const wanted = termsOf(input.grep ?? '');
    const found = loaded.filter(
      ({ actor, kind, data }) =>
        (input.by === undefined || actor === input.by) && isOfKind(kind, input.kind) && hasTerms(data, wanted),
    );
    const page = viewPage(state, 'owner', after, found);
    const isCut = page.messages.length < found.length;
    const next_cursor = isCut ? page.next_cursor : (loaded.at(-1)?.seq ?? after);
    return withPeople({ ...page, next_cursor, more: state.transcript.latest.owner.seen > next_cursor }, loaded);
  },
});

function withPeople(page: Page, loaded: readonly LoggedEvent[]): z.output<typeof OwnerMessagePage> {
  const people = new Map(loaded.map(({ seq, person }) => [seq, person]));
  const messages = page.messages.map((message) => {
    const person = people.get(message.id);
    return person ? { ...message, person: { ...person } } : message;
  });
  return { ...page, messages };
}

const isFiltered = ({ by, kind, grep }: Input): boolean => by !== undefined || kind !== undefined || grep !== undefined;

const isOfKind = (kind: string, wanted: string | undefined): boolean =>
  wanted === undefined || kind === wanted || kind.startsWith(`${wanted}.`);

/**
 * Id of the message after which the page begins. With `last`, the page begins that many messages before the end of the
 * transcript.
 */
function startOf({ transcript: { messages } }: SessionState, { after = 0, last }: Input): number {
  if (last === undefined) return after;
  const end = lowerBound(messages, () => false);
  return itemAt(messages, end - last - 1)?.seq ?? 0;
}

/** By the name of a member that contains an id: the type of the record with this id. */
const ID_MEMBERS = { decision_id: 'decision', question_id: 'question', finding_id: 'finding' } as const;

/** A record, and the texts of the record in which searched terms occur. */
interface Found {
  readonly record: { readonly type: string; readonly id: string };
  readonly texts: unknown;
}

/**
 * An event in which the searched terms occur. `texts` is the data of the event, or the contract of the revision that
 * the event created.
 */
export interface Match {
  readonly event: LoggedEvent;
  readonly texts: unknown;
}

/**
 * The record in which the searched terms occur. For a turn, the decision or question whose texts contain all of the
 * terms. For any other event, the record that the event is about.
 */
export function recordWith({ event, texts }: Match, terms: readonly Term[], sessionId: string): Found {
  const lists = Object.values(Object(event.data)).filter((member): member is unknown[] => Array.isArray(member));
  for (const item of lists.flat()) {
    if (!isRecord(item) || !hasTerms(item, terms)) continue;
    for (const [member, type] of Object.entries(ID_MEMBERS)) {
      const id = item[member];
      if (typeof id === 'string') return { record: { type, id }, texts: withPosition(item) };
    }
  }
  const { type, id } = subjectOf(event, sessionId);
  return { record: { type, id }, texts: isRecord(texts) ? withPosition(texts) : texts };
}

/** Puts the position of a decision after its topic, so that an excerpt of the topic shows the position too. */
const withPosition = ({ topic, ...others }: Readonly<Record<string, unknown>>): unknown =>
  typeof topic === 'string' && typeof others.position === 'string'
    ? { ...others, topic: `${topic}: ${others.position}` }
    : { ...others, topic };
