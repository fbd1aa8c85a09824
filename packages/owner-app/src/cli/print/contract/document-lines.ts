import { readSection } from '@parley/core/reading';
import type { Page } from '../../../text/page.ts';
import { shortenText } from '../../../text/width.ts';
import { CliError, EXIT } from '../../exit-codes.ts';
import { FENCE, itemText, terminalMarkdown } from './terminal-markdown.ts';

/** The section that a document begins with, the section of a document without sections, and one that no document contains. */
const SUMMARY = 'summary';
export const WHOLE = '';
export const REQUIREMENTS = 'requirements';

/** Matches the beginning of a record of the contract, up to the id: a heading, an item of a list, or a row of a table. */
const RECORD = /^(#{3,6} |- (?:\[ \] )?|\| )`([^`]+)`/;

export interface DocumentLine {
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
export const hasSections = (markdown: string): boolean => /^## /m.test(markdown);

/** The lines of a contract's Markdown. */
export function documentLines(markdown: string): DocumentLine[] {
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
export function sectionMarkdown(markdown: string, given: string): string {
  const lines = documentLines(markdown);
  const name = given.replaceAll('-', '_').toLowerCase();
  const wanted = name === 'operations' ? 'interfaces' : name;
  const own = lines.filter(({ member }) => member === wanted);
  const found =
    own.length > 0 ? own : lines.filter(({ section }) => section !== WHOLE && section === readSection(wanted));
  if (found.length > 0) return found.map(({ text }) => text).join('\n');
  const names = new Set([...lines.map(({ member }) => member).filter(Boolean), REQUIREMENTS]);
  throw new CliError(
    EXIT.USAGE,
    `The contract has no section ${JSON.stringify(given)}. Its sections: ${[...names].join(', ')}.`,
  );
}

/**
 * The title, the summary and the scope, and below the headings of each section one line for each record, or the sentence of a
 * section that has no records.
 */
export function summaryLines(markdown: string, page: Page): string[] {
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
