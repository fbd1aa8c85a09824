import type { Answer } from '@parley/core/client';
import { readSection } from '@parley/core/reading';
import { plural } from '@parley/core/text';
import { type News, newsOfParts, RECORD_PATH } from '../../../text/records/contract-change.ts';
import { readingText, readSections } from '../../../text/records/read-sections.ts';
import { FENCE } from './terminal-markdown.ts';

type Section = Answer<'changes'>['sections'][number];

/** Matches the beginning of a record of the contract, up to the id: a heading, an item of a list, or a row of a table. */
const RECORD = /^(#{3,6} |- (?:\[ \] )?|\| )`([^`]+)`/;
const ROW = '| ';

/** The records of a section that differ from the text which the owner read in the revision `since`. */
interface ChangedRecords {
  readonly since: string;
  /** Ids of the new and the changed records. */
  readonly shown: ReadonlySet<string>;
  readonly removed: readonly string[];
}

/**
 * The changed records of a section. Undefined if the answer does not contain all changes of the section, or if a change
 * is outside of records: then the whole section is shown.
 */
function changedRecords(since: string, { count, records }: Section): ChangedRecords | undefined {
  const named = records.flatMap(({ record, changes }) => (record === null ? [] : [{ id: record, changes }]));
  const listed = records.reduce((sum, { changes }) => sum + changes.length, 0);
  if (listed !== count || named.length < records.length) return undefined;
  const isRemoved = ({ changes }: Pick<Section['records'][number], 'changes'>): boolean =>
    changes.some(({ kind, path }) => kind === 'REMOVED' && RECORD_PATH.test(path));
  return {
    since,
    shown: new Set(named.filter((one) => !isRemoved(one)).map(({ id }) => id)),
    removed: named.filter(isRemoved).map(({ id }) => id),
  };
}

interface Line {
  readonly text: string;
  readonly isCode: boolean;
}

/**
 * The lines of a section without its unchanged records, and a line that counts these. A heading or the head of a table is
 * kept if a record below it is. Returns undefined if the lines have no records, or do not contain each changed record.
 *
 * @param lines the lines below the heading of the section
 */
function withoutUnchanged<Shown extends Line>(
  lines: readonly Shown[],
  changed: ChangedRecords,
): (Shown | string)[] | undefined {
  const shape = lines.map((line) => startOf(line)?.shape).find((one) => one !== undefined);
  const kept: (Shown | string)[] = [];
  const found = new Set<string>();
  let waiting: Shown[] = [];
  let state: 'between' | 'kept' | 'left out' = 'between';
  let unchanged = 0;
  for (const line of lines) {
    const start = startOf(line);
    if (start && start.shape === shape) {
      const isShown = changed.shown.has(start.id);
      state = isShown ? 'kept' : 'left out';
      if (isShown) {
        found.add(start.id);
        kept.push(...waiting.splice(0));
      } else unchanged += 1;
    } else if (state !== 'between' && endsRecord(line, shape)) {
      state = 'between';
      waiting = [];
    }
    if (state === 'kept') kept.push(line);
    else if (state === 'between') waiting.push(line);
  }
  if (shape === undefined || found.size < changed.shown.size) return undefined;
  return [...(kept.length === 0 ? [] : ['', ...trimmed(kept)]), ...unchangedLines(unchanged, changed)];
}

/** The lines without empty lines at the beginning and the end. */
function trimmed<Shown extends Line>(lines: readonly (Shown | string)[]): readonly (Shown | string)[] {
  const isText = (line: Shown | string): boolean => (typeof line === 'string' ? line : line.text) !== '';
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}

function startOf({ text, isCode }: Line): { readonly shape: string; readonly id: string } | undefined {
  const [, shape, id] = (isCode ? null : RECORD.exec(text)) ?? [];
  return shape === undefined || id === undefined ? undefined : { shape, id };
}

/** A row ends with its line, a record with a heading at the next heading of its level, and an item at the next heading. */
const endsRecord = ({ text, isCode }: Line, shape = ''): boolean =>
  !isCode && (shape === ROW || (shape.startsWith('#') ? text.startsWith(shape) : /^#{1,6} /.test(text)));

const unchangedLines = (unchanged: number, { since, removed }: ChangedRecords): string[] => [
  ...(removed.length === 0 ? [] : ['', `Removed since ${since}: ${removed.map((id) => `\`${id}\``).join(', ')}.`]),
  ...(unchanged === 0
    ? []
    : ['', `${plural(unchanged, 'record')} unchanged since ${since}, when you read the section.`]),
  '',
];

type Brief = Answer<'brief'>;
type Changes = Answer<'changes'>;

/** The section that a document begins with, the section of a document without sections, and one that no document contains. */
const SUMMARY = 'summary';
const WHOLE = '';
const REQUIREMENTS = 'requirements';
/** The members of the contract that the owner reads together and that are lists of records. */
const MEMBERS = ['risks', 'safety_conditions'];

/** Which sections of the latest revision the owner has read, and what changed since the revision that the owner read last. */
export interface ReadMarks {
  readonly revisionId: string;
  readonly of: number;
  readonly read: number;
  /** Adds the mark of a section to a line, such as ` (2 changes since r_1, not read)`. */
  markOf(section: string): string;
  isUnread(section: string): boolean;
  readonly news: ReadonlyMap<string, News>;
  /** By member of the contract of which the owner has read an earlier text, or the present one: the records that changed since. */
  readonly changed: ReadonlyMap<string, ChangedRecords>;
}

/**
 * @param brief the answer of the operation `brief` for the approval
 * @param changes the answer of the operation `changes`
 * @param readBefore the members of the contract whose text in the revision `since` the owner has read
 */
export function readMarks(brief: Brief, changes: Changes, readBefore: ReadonlySet<string> = new Set()): ReadMarks {
  const { since, reading } = brief;
  const unread = readSections(brief.unread);
  const counts = new Map<string, number>();
  for (const { section: member, count } of since === null ? [] : brief.changes) {
    const section = readSection(member);
    counts.set(section, (counts.get(section) ?? 0) + count);
  }
  const isUnread = (section: string): boolean => (section === WHOLE ? unread.length > 0 : unread.includes(section));
  const changed = (section: string): string[] =>
    counts.has(section) ? [`${plural(counts.get(section) ?? 0, 'change')} since ${since}`] : [];
  return {
    revisionId: brief.revision_id ?? '',
    ...reading,
    markOf: (section) => ` (${[...changed(section), isUnread(section) ? 'not read' : 'read'].join(', ')})`,
    isUnread,
    news: since === null ? new Map() : newsOfParts(changes.sections),
    changed: since === null ? new Map() : changedOf(brief, { since, sections: changes.sections }, readBefore),
  };
}

/** The changed records of the members that the owner has read before; none of a member that the owner reads with an unread one. */
function changedOf(
  { unread, changes }: Brief,
  { since, sections }: Pick<Changes, 'sections'> & { readonly since: string },
  readBefore: ReadonlySet<string>,
): Map<string, ChangedRecords> {
  const known = changes.map(({ section }) => section);
  const unchanged = MEMBERS.filter((member) => !unread.includes(member) && !known.includes(member));
  return new Map([
    ...unchanged.map((member) => [member, { since, shown: new Set<string>(), removed: [] }] as const),
    ...sections.flatMap((one) => {
      const records = readBefore.has(one.section) ? changedRecords(since, one) : undefined;
      return records ? [[one.section, records] as const] : [];
    }),
  ]);
}

interface SectionLine {
  readonly text: string;
  readonly section: string;
  /** The member of the contract in whose part of the document the line is. */
  readonly member: string;
  readonly isCode: boolean;
  /** Whether the mark of the section belongs to this line. */
  readonly isHead: boolean;
}

/** The lines of a contract's Markdown, each with the section as which the owner reads the line. */
function sectionLines(markdown: string): SectionLine[] {
  let section = /^## /m.test(markdown) ? SUMMARY : WHOLE;
  let member = section;
  let fence = '';
  const marked = new Set<string>();
  return markdown.split('\n').map((text) => {
    const isCode = fence !== '' || FENCE.test(text);
    if (fence === '') fence = FENCE.exec(text)?.[2] ?? '';
    else if (text.trim() === fence) fence = '';
    const title = isCode ? undefined : /^##? (.+)$/.exec(text)?.[1];
    if (title !== undefined && text.startsWith('## ')) {
      member = title.toLowerCase().replaceAll(' ', '_');
      section = readSection(member);
    }
    const isHead = title !== undefined && !marked.has(section);
    if (isHead) marked.add(section);
    return { text, section, member, isCode, isHead };
  });
}

/** The Markdown of a contract with marks at the headings of its sections, and at its new and changed records. */
export const markedMarkdown = (markdown: string, marks: ReadMarks): string =>
  sectionLines(markdown)
    .map((line) => markedLine(line, marks))
    .join('\n');

/**
 * Like {@link markedMarkdown}, without the sections that the owner has read. If the owner has read an earlier text of a
 * section, only its new and changed records are left.
 */
export function unreadMarkdown(markdown: string, marks: ReadMarks): string {
  const lines = sectionLines(markdown);
  return [...new Set(lines.map(({ member }) => member))]
    .flatMap((one) =>
      unreadLines(
        lines.filter(({ member }) => member === one),
        marks,
      ),
    )
    .map((line) => (typeof line === 'string' ? line : markedLine(line, marks)))
    .join('\n');
}

function unreadLines(lines: readonly SectionLine[], marks: ReadMarks): readonly (SectionLine | string)[] {
  const [head, ...others] = lines;
  if (!head || !marks.isUnread(head.section)) return [];
  const changed = marks.changed.get(head.member);
  const shown = changed && withoutUnchanged(others, changed);
  return shown ? [head, ...shown] : lines;
}

function markedLine({ text, section, isCode, isHead }: SectionLine, { markOf, news }: ReadMarks): string {
  if (isCode) return text;
  if (isHead) return text + markOf(section);
  const [start = '', , id = ''] = RECORD.exec(text) ?? [];
  const what = news.get(id);
  return what === undefined ? text : `${start} (${what})${text.slice(start.length)}`;
}

/** How much of the revision the owner has read, and the sections that {@link unreadMarkdown} leaves out. */
export function leftOutText(markdown: string, { revisionId, of, read, isUnread }: ReadMarks): string {
  const sections = new Set([REQUIREMENTS, ...sectionLines(markdown).map(({ section }) => section)]);
  const left = [...sections].filter((section) => section !== WHOLE && !isUnread(section));
  return `${revisionId}: ${readingText(of, read)}. Left out: ${left.join(', ') || 'nothing'}.`;
}
