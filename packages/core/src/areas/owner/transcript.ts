import { z } from 'zod';
import { EVENTS_PER_READ } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { messagesAfter } from '../../kernel/log/event-catalog.ts';
import { itemAt, lowerBound } from '../../kernel/log/persistent-collections.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { documented } from '../../kernel/operation/json-schema.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { PersonView } from '../approvals/state.ts';
import { ActorName, MessageCursor } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkAfter, MessagePage, pageSeqs, viewPage } from '../session/work.ts';
import type { SessionState } from '../state.ts';

const MAX_WORDS = 10;

export const Words = z
  .string()
  .max(200)
  .regex(/[^\s"]/, 'Must contain a word.')
  .describe(
    'Words to search for; only the first ten count. All must occur, in any order and case. A word is found where a word of the text begins with it; words in double quotes are a phrase.',
  );

/**
 * Matches a letter, a digit or a mark. Does not match a character of a script that is written without spaces between
 * words, because each such character can begin a word.
 */
const IN_WORD = String.raw`[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]]`;

/** Matches a position at which no word goes on: the character there, or the one before, is not part of a word. */
const BEGINNING = `(?:(?<!${IN_WORD})|(?!${IN_WORD}))`;

const anyOf = (sources: readonly string[]): RegExp => new RegExp(sources.join('|'), 'giv');

/**
 * A pattern for each word or phrase of a search, which matches where a word of a text begins with it. Ignores an unpaired
 * quotation mark, and all words after the tenth.
 */
export function termsOf(query: string): RegExp[] {
  let left = MAX_WORDS;
  const parts = query.split('"');
  const phrases = parts.flatMap((part, index) => {
    const words = part.split(/\s+/).filter(Boolean);
    return index % 2 === 1 && index < parts.length - 1 ? [words] : words.map((word) => [word]);
  });
  return phrases.flatMap((phrase) => {
    const words = phrase.slice(0, left);
    left -= words.length;
    const sources = words.map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`));
    return words.length === 0 ? [] : [anyOf([BEGINNING + sources.join(String.raw`\s+`)])];
  });
}

/** All texts in a value, in their order. Numbers and names of members are left out. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  else if (isRecord(value)) for (const member of Object.values(value)) yield* textsOf(member);
}

/** Whether the texts of a value together contain all terms. */
export function hasTerms(value: unknown, terms: readonly RegExp[]): boolean {
  const texts = [...textsOf(value)];
  return terms.every((term) => texts.some((text) => text.search(term) !== -1));
}

/** A part of a text in which searched words occur, and the positions of the words in this part. */
export const Excerpt = z.strictObject({
  excerpt: z.string().describe('The part of the text, at most 300 characters; … stands where the text was shortened.'),
  marks: z
    .array(z.strictObject({ start: z.int(), end: z.int() }))
    .describe('Positions of the words, in UTF-16 units; end is the position after the word.'),
});

const EXCERPT_BEFORE = 80;
const EXCERPT_CHARS = 280;

/** Finds the first text in a value that contains the most of the searched terms, and shortens it around the first. */
export function excerptOf(value: unknown, terms: readonly RegExp[]): z.output<typeof Excerpt> {
  let text = '';
  let most = 0;
  for (const each of textsOf(value)) {
    const count = terms.filter((term) => each.search(term) !== -1).length;
    if (count > most) [text, most] = [each, count];
  }
  const pattern = anyOf(terms.map(({ source }) => source).toSorted((one, other) => other.length - one.length));
  const start = wholeCharacter(text, Math.max(0, text.search(pattern) - EXCERPT_BEFORE));
  const end = wholeCharacter(text, start + EXCERPT_CHARS);
  const before = start > 0 ? '…' : '';
  const shift = before.length - start;
  return {
    excerpt: `${before}${text.slice(start, end).replace(/[\n\r\t]/g, ' ')}${end < text.length ? '…' : ''}`,
    marks: [...text.slice(0, end).matchAll(pattern)]
      .filter(({ index }) => index >= start)
      .map(({ index, 0: found }) => ({ start: index + shift, end: index + found.length + shift })),
  };
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
