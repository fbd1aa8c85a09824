import type { Answer } from '@parley/core/client';
import { readSection } from '@parley/core/reading';
import { plural } from '@parley/core/text';
import { type News, newsOfParts } from '../../../text/records/contract-news.ts';
import { readingText, readSections } from '../../../text/records/read-sections.ts';
import { type DocumentLine, documentLines, REQUIREMENTS, WHOLE } from './document-lines.ts';
import { type ChangedRecords, changedRecords, withoutUnchanged } from './unread-records.ts';

type Brief = Answer<'brief'>;
type Changes = Answer<'changes'>;

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

/** The Markdown of a contract with marks at the headings of its sections, and at its new and changed records. */
export const markedMarkdown = (markdown: string, marks: ReadMarks): string =>
  documentLines(markdown)
    .map((line) => markedLine(line, marks))
    .join('\n');

/**
 * Like {@link markedMarkdown}, without the sections that the owner has read. If the owner has read an earlier text of a
 * section, only its new and changed records are left.
 */
export function unreadMarkdown(markdown: string, marks: ReadMarks): string {
  const lines = documentLines(markdown);
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

function unreadLines(lines: readonly DocumentLine[], marks: ReadMarks): readonly (DocumentLine | string)[] {
  const [head, ...others] = lines;
  if (!head || !marks.isUnread(head.section)) return [];
  const changed = marks.changed.get(head.member);
  const shown = changed && withoutUnchanged(others, changed);
  return shown ? [head, ...shown] : lines;
}

function markedLine({ text, section, isCode, isHead, record }: DocumentLine, { markOf, news }: ReadMarks): string {
  if (isCode) return text;
  if (isHead) return text + markOf(section);
  const what = record && news.get(record.id);
  return what === undefined ? text : `${record?.start} (${what})${text.slice(record?.start.length)}`;
}

/** How much of the revision the owner has read, and the sections that {@link unreadMarkdown} leaves out. */
export function leftOutText(markdown: string, { revisionId, of, read, isUnread }: ReadMarks): string {
  const sections = new Set([REQUIREMENTS, ...documentLines(markdown).map(({ section }) => section)]);
  const left = [...sections].filter((section) => section !== WHOLE && !isUnread(section));
  return `${revisionId}: ${readingText(of, read)}. Left out: ${left.join(', ') || 'nothing'}.`;
}
