import type { Answer } from '@parley/core/client';
import { readSection } from '@parley/core/reading';
import { plural } from '@parley/core/text';
import { type News, newsOfParts, RECORD_PATH, readingText, readSections } from '../../../text/contract-reading.ts';
import type { Page } from '../../../text/page.ts';
import { type Json, readAs } from '../../../text/read-as.ts';
import { outlineLines, shortenText, wrapText } from '../../../text/table.ts';
import { withTimes } from '../../../text/time.ts';
import { visible } from '../../../text/visible.ts';
import { type CliError, commandFailed, wrongUsage } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';
import { markReadLines } from '../next-step.ts';
import { type Requirements, type Revision, requirementLines, revisionFacts } from './format-contract.ts';
import { FENCE, itemText, terminalMarkdown } from './terminal-markdown.ts';

/** The section that a document begins with, the section of a document without sections, and one that no document contains. */
const SUMMARY = 'summary';
const WHOLE = '';
const REQUIREMENTS = 'requirements';

/** Matches the beginning of a record of the contract, up to the id: a heading, an item of a list, or a row of a table. */
const RECORD = /^(#{3,6} |- (?:\[ \] )?|\| )`([^`]+)`/;

interface DocumentLine {
  readonly text: string;
  /** The section as which the owner reads the line. */
  readonly section: string;
  /** The member of the contract in whose part of the document the line is. */
  readonly member: string;
  readonly isCode: boolean;
  /** Whether the mark of the section belongs to this line. */
  readonly isHead: boolean;
  /** The record that begins with this line. All records of a member begin with the same mark, such as `### `. */
  readonly record?: { readonly id: string; readonly mark: string; readonly start: string } | undefined;
}

/** Whether a document has sections. That of a contract that breaks its schema has none. */
const hasSections = (markdown: string): boolean => /^## /m.test(markdown);

/** The lines of a contract's Markdown. */
function documentLines(markdown: string): DocumentLine[] {
  let section = hasSections(markdown) ? SUMMARY : WHOLE;
  let member = section;
  let fence = '';
  let shape: string | undefined;
  const marked = new Set<string>();
  return markdown.split('\n').map((text) => {
    const isCode = fence !== '' || FENCE.test(text);
    if (fence === '') fence = FENCE.exec(text)?.[2] ?? '';
    else if (text.trim() === fence) fence = '';
    const title = isCode ? undefined : /^##? (.+)$/.exec(text)?.[1];
    if (title !== undefined && text.startsWith('## ')) {
      member = title.toLowerCase().replaceAll(' ', '_');
      section = readSection(member);
      shape = undefined;
    }
    const isHead = title !== undefined && !marked.has(section);
    if (isHead) marked.add(section);
    const [start = '', mark, id = ''] = (isCode ? null : RECORD.exec(text)) ?? [];
    shape ??= mark;
    const record = mark !== undefined && mark === shape ? { id, mark, start } : undefined;
    return { text, section, member, isCode, isHead, record };
  });
}

/**
 * The Markdown of one section.
 *
 * @param given name of a top-level member of the contract, with `-` or `_`; or `operations`, which are in the interfaces
 * @throws CliError with the exit code USAGE if the document has no such section
 */
function sectionMarkdown(markdown: string, given: string): string {
  const lines = documentLines(markdown);
  const name = given.replaceAll('-', '_').toLowerCase();
  const wanted = name === 'operations' ? 'interfaces' : name;
  const own = lines.filter(({ member }) => member === wanted);
  const found =
    own.length > 0 ? own : lines.filter(({ section }) => section !== WHOLE && section === readSection(wanted));
  if (found.length > 0) return found.map(({ text }) => text).join('\n');
  const names = new Set([...lines.map(({ member }) => member).filter(Boolean), REQUIREMENTS]);
  throw wrongUsage(`The contract has no section ${JSON.stringify(given)}. Its sections: ${[...names].join(', ')}.`);
}

/**
 * The title, the summary and the scope, and below the headings of each section one line for each record, or the sentence of a
 * section that has no records.
 */
function summaryLines(markdown: string, page: Page): string[] {
  const lines = documentLines(markdown);
  const isOpening = ({ section }: DocumentLine): boolean => section === SUMMARY;
  const withRecords = new Set(lines.flatMap(({ record, member }) => (record ? member : [])));
  let heads: readonly string[] = [];
  const records = lines.flatMap((line) => {
    const { text, isCode, member } = line;
    if (isOpening(line) || isCode) return [];
    const isSentence = heads.length > 0 && !withRecords.has(member) && SENTENCE.test(text);
    if (line.record || isSentence) {
      const before = heads.flatMap((head) => ['', ...terminalMarkdown(head, page)]);
      heads = [];
      return [...before, shortenText(`  ${itemText(text)}`, page.columns)];
    }
    if (text.startsWith('## ')) heads = [text];
    else if (text.startsWith('### ')) heads = [...heads.filter((head) => head.startsWith('## ')), text];
    return [];
  });
  const opening = lines.filter(isOpening).map(({ text }) => text);
  return [...terminalMarkdown(opening.join('\n').trimEnd(), page), ...records];
}

/** Matches a line of a paragraph, but not an item of a list or the word of an empty section. */
const SENTENCE = /^(?!None\.$|\d+\. )[^\s#|-]/;

type Section = Answer<'changes'>['sections'][number];

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

/**
 * The lines of a section without its unchanged records, and a line that counts these. A heading or the head of a table is
 * kept if a record below it is. Returns undefined if the lines have no records, or do not contain each changed record.
 *
 * @param lines the lines below the heading of the section
 */
function withoutUnchanged(
  lines: readonly DocumentLine[],
  changed: ChangedRecords,
): (DocumentLine | string)[] | undefined {
  const mark = lines.find(({ record }) => record)?.record?.mark;
  const kept: DocumentLine[] = [];
  const found = new Set<string>();
  let waiting: DocumentLine[] = [];
  let state: 'between' | 'kept' | 'left out' = 'between';
  let unchanged = 0;
  for (const line of lines) {
    if (line.record) {
      const isShown = changed.shown.has(line.record.id);
      state = isShown ? 'kept' : 'left out';
      if (isShown) {
        found.add(line.record.id);
        kept.push(...waiting.splice(0));
      } else unchanged += 1;
    } else if (state !== 'between' && endsRecord(line, mark)) {
      state = 'between';
      waiting = [];
    }
    if (state === 'kept') kept.push(line);
    else if (state === 'between') waiting.push(line);
  }
  if (mark === undefined || found.size < changed.shown.size) return undefined;
  return [...(kept.length === 0 ? [] : ['', ...trimmed(kept)]), ...unchangedLines(unchanged, changed)];
}

/** The lines without empty lines at the beginning and the end. */
function trimmed(lines: readonly DocumentLine[]): readonly DocumentLine[] {
  const isText = ({ text }: DocumentLine): boolean => text !== '';
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}

/** A row ends with its line, a record with a heading at the next heading of its level, and an item at the next heading. */
const endsRecord = ({ text, isCode }: DocumentLine, mark = ''): boolean =>
  !isCode && (mark === '| ' || (mark.startsWith('#') ? text.startsWith(mark) : /^#{1,6} /.test(text)));

const unchangedLines = (unchanged: number, { since, removed }: ChangedRecords): string[] => [
  ...(removed.length === 0 ? [] : ['', `Removed since ${since}: ${removed.map((id) => `\`${id}\``).join(', ')}.`]),
  ...(unchanged === 0
    ? []
    : ['', `${plural(unchanged, 'record')} unchanged since ${since}, when you read the section.`]),
  '',
];

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

/** The part or the form of a contract that a flag selects: `--section`, `--summary`, `--unread` or `--md`. */
export type ContractPart = { readonly section: string } | 'summary' | 'unread' | 'markdown';

interface Shown {
  readonly terminal: Terminal;
  /** The id of the session in printed commands. */
  readonly sessionId: string;
  /** Default: the whole contract as a text for reading. */
  readonly part?: ContractPart | undefined;
  /** What the owner has read of the latest revision. Absent if another revision is shown. */
  readonly marks?: ReadMarks | undefined;
  /** The view of the session, which contains the requirements. */
  readonly view?: Requirements | undefined;
}

/** A contract of this number of lines or more is printed with a hint to `--summary`. */
const LONG_LINES = 200;

/**
 * Formats a contract below its revision id, its hash and the requirements of the session, with marks at the sections. If
 * the answer has no Markdown, formats the answer as an outline.
 *
 * @param given the command that is running, with `SESSION` in place of the session's id
 */
export function contractLines(given: string, answer: Revision, shown: Shown): string[] {
  const { revision_id, markdown } = answer;
  const { terminal, sessionId, part, view } = shown;
  const command = `${terminal.program} ${given.replace('SESSION', sessionId)}`;
  if (revision_id === null) return ['There is no revision yet. The Contract Author submits the first one.'];
  if (part === 'summary' || typeof part === 'object') return partLines(answer, part, { terminal, command, view });
  if (markdown === null) return outlineLines(withTimes(answer), terminal);
  const text = visible(markdown);
  const marks = shown.marks?.revisionId === revision_id ? shown.marks : undefined;
  if (part === 'unread' && marks) return unreadRecordLines(text, marks, { terminal, sessionId, command, view });
  const isDocument = part === 'markdown';
  const lines = isDocument
    ? wrapText(text, terminal.columns, 'keep')
    : terminalMarkdown(marks ? markedMarkdown(text, marks) : text, terminal);
  const isPartlyRead = marks !== undefined && marks.read > 0 && marks.read < marks.of;
  const hints = [
    ...(isPartlyRead ? [`To print what you have not read: ${command} --unread`] : []),
    ...(lines.length < LONG_LINES ? [] : [`To print a summary: ${command} --summary`]),
  ];
  return [
    ...outlineLines(withTimes(revisionFacts(answer)), terminal),
    ...hints.map((hint) => terminal.paint('dim', hint)),
    ...requirementLines(view, terminal, marks?.markOf('requirements')),
    '',
    ...lines,
    ...(isDocument ? [] : markReadLines(revision_id, placeOf(terminal, sessionId), terminal)),
  ];
}

const placeOf = ({ program }: Terminal, sessionId: string) => ({ program, sessionId });

interface Reading {
  readonly terminal: Terminal;
  readonly command: string;
  readonly view: Requirements | undefined;
}

/** The sections of a contract that the owner has not read. */
function unreadRecordLines(
  markdown: string,
  marks: ReadMarks,
  { terminal, sessionId, command, view }: Reading & { readonly sessionId: string },
): string[] {
  const { paint } = terminal;
  if (marks.read === marks.of)
    return [
      paint('bold', `You have read every section of ${marks.revisionId}.`),
      paint('dim', `To read the contract again: ${command}`),
    ];
  const text = unreadMarkdown(markdown, marks);
  return [
    ...wrapText(leftOutText(markdown, marks), terminal.columns).map((line) => paint('bold', line)),
    ...(marks.isUnread('requirements') ? requirementLines(view, terminal, marks.markOf('requirements')) : []),
    ...(text === '' ? [] : ['', ...terminalMarkdown(text, terminal)]),
    ...markReadLines(marks.revisionId, placeOf(terminal, sessionId), terminal),
  ];
}

/** The revision and its hash, and its status if the answer has it. */
const standingOf = ({ revision_id, content_hash, ...rest }: Revision): Json => ({
  revision_id,
  ...('status' in rest && { status: rest.status }),
  content_hash,
});

/** @throws CliError with the exit code REFUSED if the contract is too long for one answer, or breaks its schema */
function partLines(answer: Revision, part: 'summary' | { readonly section: string }, reading: Reading): string[] {
  const { terminal, command } = reading;
  const refuse = (why: string): CliError => commandFailed(why);
  if (answer.markdown === null)
    throw refuse(`The contract is too long for one answer. Read it in pieces: ${command} --part markdown`);
  const text = visible(answer.markdown);
  if (!hasSections(text)) throw refuse(`The contract breaks its schema and has no sections. Read it whole: ${command}`);
  if (part === 'summary') return contractSummary(answer, text, reading);
  const lines = sectionLines(text, part.section, reading);
  return isArtifacts(part.section) ? [...lines, ...artifactLines(answer, terminal)] : lines;
}

/** Whether a section that a person names is that of the artifacts. */
export const isArtifacts = (section: string): boolean => section.toLowerCase() === 'artifacts';

/** One section of a contract, or the requirements of the session. */
const sectionLines = (markdown: string, name: string, { terminal, view }: Reading): string[] =>
  name.toLowerCase() === REQUIREMENTS
    ? requirementLines(view, terminal).slice(1)
    : terminalMarkdown(sectionMarkdown(markdown, name).trimEnd(), terminal);

/** The files that are frozen with the contract, whole. Its document has their names alone. */
const artifactLines = ({ contract }: Revision, { columns, paint }: Terminal): string[] =>
  readAs(contract, { artifacts: 'records' })
    .artifacts.map((artifact) => readAs(artifact, { filename: 'text', content: 'text' }))
    .flatMap(({ filename, content }) => [
      '',
      paint('bold', visible(filename)),
      ...wrapText(visible(content), columns, 'keep'),
    ]);

const contractSummary = (answer: Revision, markdown: string, { terminal, command, view }: Reading): string[] => [
  ...outlineLines(standingOf(answer), terminal),
  '',
  ...summaryLines(markdown, terminal),
  ...requirementLines(view, terminal),
  '',
  ...wrapText(`To print one section in full: ${command} --section NAME`, terminal.columns).map((line) =>
    terminal.paint('dim', line),
  ),
];

type Request = Answer<'changes'>['requests'][number];

/** A request for changes in the words of the owner, and what followed it. */
export const requestTexts = ({ returned, message_id, text, answered_by, answer, is_named }: Request): string[] => [
  `on ${returned}, #${message_id}: ${text}`,
  answered_by === null
    ? '→ no revision was submitted after this request yet'
    : `→ ${answered_by} ${is_named ? 'names this request as its cause' : 'was submitted after this request and does not name it as a cause'}: ${answer ?? ''}`,
];
