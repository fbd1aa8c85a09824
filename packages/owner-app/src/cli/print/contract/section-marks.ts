import { readSection } from '@parley/core/reading';
import { plural } from '../../../text/counted.ts';
import { type News, newsOfParts } from '../../../text/records/contract-news.ts';
import { readingText, readSections } from '../../../text/records/read-sections.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../../transcript/message.ts';
import { FENCE } from './terminal-markdown.ts';

/** The section that a document begins with, the section of a document without sections, and one that no document contains. */
const SUMMARY = 'summary';
const WHOLE = '';
const REQUIREMENTS = 'requirements';
/** Matches the beginning of a record of the contract, up to the id: a heading, an item of a list, or a row of a table. */
const RECORD = /^(?:#{3,6} |- (?:\[ \] )?|\| )`([^`]+)`/;

/** Which sections of the latest revision the owner has read, and what changed since the revision that the owner read last. */
export interface ReadMarks {
  readonly revisionId: string;
  readonly of: number;
  readonly read: number;
  /** Adds the mark of a section to a line, such as ` (2 changes since r_1, not read)`. */
  markOf(section: string): string;
  isUnread(section: string): boolean;
  readonly news: ReadonlyMap<string, News>;
}

/**
 * @param brief the answer of the operation `brief` for the approval
 * @param changes the answer of the operation `changes`
 */
export function readMarks(brief: Members, changes: Members): ReadMarks {
  const since = textIn(brief, 'since');
  const unread = readSections(textsIn(brief, 'unread'));
  const counts = new Map<string, number>();
  for (const change of since === '' ? [] : recordsIn(brief, 'changes')) {
    const section = readSection(textIn(change, 'section'));
    counts.set(section, (counts.get(section) ?? 0) + numberIn(change, 'count'));
  }
  const reading = membersOf(brief.reading);
  const isUnread = (section: string): boolean => (section === WHOLE ? unread.length > 0 : unread.includes(section));
  const changed = (section: string): string[] =>
    counts.has(section) ? [`${plural(counts.get(section) ?? 0, 'change')} since ${since}`] : [];
  return {
    revisionId: textIn(brief, 'revision_id'),
    of: numberIn(reading, 'of'),
    read: numberIn(reading, 'read'),
    markOf: (section) => ` (${[...changed(section), isUnread(section) ? 'not read' : 'read'].join(', ')})`,
    isUnread,
    news: since === '' ? new Map() : newsOfParts(recordsIn(changes, 'sections').map(readChanged)),
  };
}

const readChanged = (section: Members) => ({
  section: textIn(section, 'section'),
  count: numberIn(section, 'count'),
  records: recordsIn(section, 'records').map((one) => ({
    record: textIn(one, 'record') || null,
    changes: recordsIn(one, 'changes').map((change) => ({
      kind: textIn(change, 'kind'),
      path: textIn(change, 'path'),
    })),
  })),
});

interface SectionLine {
  readonly text: string;
  readonly section: string;
  readonly isCode: boolean;
  /** Whether the mark of the section belongs to this line. */
  readonly isHead: boolean;
}

/** The lines of a contract's Markdown, each with the section as which the owner reads the line. */
function sectionLines(markdown: string): SectionLine[] {
  let section = /^## /m.test(markdown) ? SUMMARY : WHOLE;
  let fence = '';
  const marked = new Set<string>();
  return markdown.split('\n').map((text) => {
    const isCode = fence !== '' || FENCE.test(text);
    if (fence === '') fence = FENCE.exec(text)?.[2] ?? '';
    else if (text.trim() === fence) fence = '';
    const title = isCode ? undefined : /^##? (.+)$/.exec(text)?.[1];
    if (title !== undefined && text.startsWith('## ')) section = readSection(title.toLowerCase().replaceAll(' ', '_'));
    const isHead = title !== undefined && !marked.has(section);
    if (isHead) marked.add(section);
    return { text, section, isCode, isHead };
  });
}

/** The Markdown of a contract with marks at the headings of its sections, and at its new and changed records. */
export const markedMarkdown = (markdown: string, marks: ReadMarks): string =>
  sectionLines(markdown)
    .map((line) => markedLine(line, marks))
    .join('\n');

/** Like {@link markedMarkdown}, without the sections that the owner has read. */
export const unreadMarkdown = (markdown: string, marks: ReadMarks): string =>
  sectionLines(markdown)
    .filter(({ section }) => marks.isUnread(section))
    .map((line) => markedLine(line, marks))
    .join('\n');

function markedLine({ text, section, isCode, isHead }: SectionLine, { markOf, news }: ReadMarks): string {
  if (isCode) return text;
  if (isHead) return text + markOf(section);
  const [start = '', id = ''] = RECORD.exec(text) ?? [];
  const what = news.get(id);
  return what === undefined ? text : `${start} (${what})${text.slice(start.length)}`;
}

/** How much of the revision the owner has read, and the sections that {@link unreadMarkdown} leaves out. */
export function leftOutText(markdown: string, { revisionId, of, read, isUnread }: ReadMarks): string {
  const sections = new Set([REQUIREMENTS, ...sectionLines(markdown).map(({ section }) => section)]);
  const left = [...sections].filter((section) => section !== WHOLE && !isUnread(section));
  return `${revisionId}: ${readingText(of, read)}. Left out: ${left.join(', ') || 'nothing'}.`;
}
