import type { EventText, Part, PartTone } from './event-text.ts';

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
/** Maximum length of a message that is shown in full instead of as a digest, in characters. */
const SHORT_CHARS = 480;
const SHORT_PARTS = 4;

/**
 * The digest of a long message: its summary, and below it the most important groups of its parts.
 *
 * @returns null for a message that is short enough to be shown in full
 */
export function digestOf({ text = '', parts = [] }: EventText): Digest | null {
  const chars = parts.reduce((sum, part) => sum + lengthOf(part), text.length);
  if (chars <= SHORT_CHARS && parts.length <= SHORT_PARTS) return null;
  const groups = GROUPS.map((group) => ({ group, members: parts.filter(({ label }) => group.labels.includes(label)) }));
  const told = groups.filter(({ members }) => members.length > 0).slice(0, text === '' ? MAX_LINES : MAX_LINES - 1);
  const lines = told.map(({ group, members }) => group.line(members));
  const counted = told.reduce((sum, { members }) => sum + members.length, 0);
  const summaryChars = parts.length === 0 ? MAX_LINES * LINE_CHARS : LINE_CHARS;
  const summary = text === '' ? [] : [{ label: '', text: shortened(firstParagraph(text), summaryChars) }];
  return { lines: [...summary, ...lines], more: parts.length - counted };
}

interface Group {
  /** The labels of the parts that one line of the digest shows. */
  readonly labels: readonly string[];
  line(parts: readonly Part[]): DigestLine;
}

const byTitle = (label: string, tone: PartTone, labels: readonly string[]): Group => ({
  labels,
  line: (parts) => ({ label, tone, text: shortened(parts.map(({ title = '' }) => title).join('; ')) }),
});

const byText = (label: string, tone: PartTone, labels: readonly string[]): Group => ({
  labels,
  line: (parts) => ({ label, tone, text: shortened(parts.map(sayingOf).join('; ')) }),
});

/** The groups of parts that a digest can show, the most important first. */
const GROUPS: readonly Group[] = [
  { labels: ['holds', 'FAILS'], line: checksLine },
  byTitle('proposes', 'live', ['proposes']),
  byText('asks', 'live', ['asks', 'asks owner']),
  byTitle('agrees', 'good', ['accepts']),
  byText('objects', 'warn', [
    'rejects',
    'disagrees',
    'concern',
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
  const counts = `${parts.length - failed.length} ${parts.length - failed.length === 1 ? 'check' : 'checks'} held, ${failed.length} failed`;
  return {
    label: 'checks',
    tone: failed.length > 0 ? 'bad' : 'good',
    text: shortened(names === '' ? counts : `${counts}: ${names}`),
  };
}

const sayingOf = ({ title, text }: Part): string => [title, text && firstParagraph(text)].filter(Boolean).join(' ');

const firstParagraph = (text: string): string =>
  text
    .split(/\n\s*\n/, 1)[0]
    ?.replace(/\s+/g, ' ')
    .trim() ?? '';

/** The text, cut after the last whole word that fits. A text without white space is cut anywhere. */
function shortened(text: string, chars = LINE_CHARS): string {
  if (text.length <= chars) return text;
  const cut = text.slice(0, chars - 1).toWellFormed();
  return `${/\s/.test(cut) && !/^\s/.test(text.slice(chars - 1)) ? cut.replace(/\s+\S*$/, '') : cut.trimEnd()}…`;
}

const lengthOf = ({ title = '', text = '', evidence = [] }: Part): number =>
  evidence.reduce((sum, { excerpt }) => sum + excerpt.length, title.length + text.length);
