import { describeEvent, type EventText, isSilent, type Known, type Part, type PartTone } from '@parley/core/words';
import { firstParagraph, shortened } from '../text/visible.ts';
import type { Message } from './message.ts';

/**
 * The text of a message, or undefined if the message is not shown. If a message is about a record of a turn, its text
 * is only the outcome, because the text of the turn already shows the record.
 */
export function eventTextOf(message: Message, context: Omit<Known, 'from'>): EventText | undefined {
  const { kind, body, from } = message;
  const isDerived = kind === 'action.opened' && from === 'system';
  if (isDerived || kind === 'reading.recorded' || isSilent(kind)) return undefined;
  const text = describeEvent(message, { ...context, from });
  if (!('in_turn' in body && body.in_turn)) return text;
  return text.outcome ? { heading: '', outcome: text.outcome } : undefined;
}

interface DigestLine {
  /** The kind of text on this line, such as `asks`. Empty for the summary. */
  readonly label: string;
  readonly tone?: PartTone;
  readonly text: string;
}

export interface Digest {
  /**
   * At most five lines, each of at most 240 characters. If the message has no parts, there is one line of at most 1,200
   * characters.
   */
  readonly lines: readonly DigestLine[];
  /** Number of parts of the message that no line of the digest shows. */
  readonly more: number;
}

const MAX_LINES = 5;
const LINE_CHARS = 240;
/** Maximum length, in characters, of a part's title that is followed by the part's text on the same line. */
const TITLE_CHARS = 90;
/** Maximum length of a message that is shown in full instead of as a digest, in characters. */
const SHORT_CHARS = 480;
const SHORT_PARTS = 4;

/**
 * The digest of a long message: its summary, and below it the most important groups of its parts. The lines that remain
 * show the first parts that belong to no group.
 *
 * @returns null for a message that is short enough to be shown in full
 */
export function digestOf({ text = '', parts = [] }: EventText): Digest | null {
  const chars = parts.reduce((sum, part) => sum + lengthOf(part), text.length);
  if (chars <= SHORT_CHARS && parts.length <= SHORT_PARTS) return null;
  const groups = GROUPS.map((group) => ({ group, members: parts.filter(({ label }) => group.labels.includes(label)) }));
  const shownGroups = groups
    .filter(({ members }) => members.length > 0)
    .slice(0, text === '' ? MAX_LINES : MAX_LINES - 1);
  const lines = shownGroups.map(({ group, members }) => group.line(members));
  const counted = shownGroups.reduce((sum, { members }) => sum + members.length, 0);
  const summaryChars = parts.length === 0 ? MAX_LINES * LINE_CHARS : LINE_CHARS;
  const summary = text === '' ? [] : [{ label: '', text: shortened(firstParagraph(text), summaryChars) }];
  const others = parts.filter(({ label }) => !GROUPS.some(({ labels }) => labels.includes(label)));
  const shown = others.slice(0, MAX_LINES - summary.length - lines.length);
  return { lines: [...summary, ...lines, ...shown.map(partLine)], more: parts.length - counted - shown.length };
}

/**
 * What a message says, for one line: its heading and outcome, then its first paragraph and its parts, shortened as in its
 * digest.
 */
export function newsOf(eventText: EventText): string {
  const { heading = '', text = '', parts = [], outcome } = eventText;
  const lines = digestOf(eventText)?.lines ?? [{ label: '', text: firstParagraph(text) }, ...parts.map(partLine)];
  const said = lines.flatMap(({ label, text: words }) => [label, words].filter(Boolean).join(' ') || []);
  const head = [heading, outcome && `✔ ${outcome}`].filter(Boolean).join(' ');
  return [head, said.join('; ')].filter(Boolean).join(': ');
}

interface Group {
  /** The labels of the parts that one line of the digest shows. */
  readonly labels: readonly string[];
  line(parts: readonly Part[]): DigestLine;
}

const byTitle = (label: string, tone: PartTone, labels: readonly string[]): Group => ({
  labels,
  line: (parts) => ({ label, tone, text: lineText(parts.map(({ title = '' }) => title).join('; ')) }),
});

const byText = (label: string, tone: PartTone, labels: readonly string[]): Group => ({
  labels,
  line: (parts) => ({ label, tone, text: lineText(parts.map(sayingOf).join('; ')) }),
});

/** The groups of parts that a digest can show, the most important first. */
const GROUPS: readonly Group[] = [
  { labels: ['passes', 'FAILS'], line: checksLine },
  byTitle('proposes', 'live', ['proposes']),
  byText('asks', 'live', ['asks', 'asks owner']),
  byTitle('agrees', 'good', ['accepts']),
  byText('objects', 'warn', [
    'rejects',
    'disagrees',
    'objects',
    'caveat',
    'blocker',
    'mismatch',
    'disputes',
    'deviates',
  ]),
  byText('confirms', 'good', ['confirms']),
  byText('answers', 'good', ['answers']),
  byText('content_hash', 'live', ['content_hash']),
];

function checksLine(parts: readonly Part[]): DigestLine {
  const failed = parts.filter(({ label }) => label === 'FAILS');
  const names = failed.map(({ text = '' }) => text).join('; ');
  const counts = `${parts.length - failed.length} ${parts.length - failed.length === 1 ? 'check' : 'checks'} passed, ${failed.length} failed`;
  return {
    label: 'checks',
    tone: failed.length > 0 ? 'bad' : 'good',
    text: lineText(names === '' ? counts : `${counts}: ${names}`),
  };
}

const lineText = (text: string): string => shortened(text, LINE_CHARS);

/** A part that belongs to no group. If the part has only evidence, the line shows the source of the evidence. */
const partLine = (part: Part): DigestLine => ({
  label: part.label,
  ...(part.tone && { tone: part.tone }),
  text: lineText(sayingOf(part) || (part.evidence?.[0]?.source ?? '')),
});

/** A title with the first paragraph of its text. A long title is cut, so that the text has room on the line. */
const sayingOf = ({ title = '', text = '' }: Part): string =>
  [text === '' ? title : shortened(title, TITLE_CHARS), firstParagraph(text)].filter(Boolean).join(' ');

const lengthOf = ({ title = '', text = '', evidence = [] }: Part): number =>
  evidence.reduce((sum, { excerpt }) => sum + excerpt.length, title.length + text.length);
