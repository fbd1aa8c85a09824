import type { Answer } from '@parley/core/client';
import { outlineLines } from '../../../text/outline.ts';
import { type Json, readAs } from '../../../text/read-as.ts';
import { withTimes } from '../../../text/time.ts';
import { visible } from '../../../text/visible.ts';
import { wrapText } from '../../../text/width.ts';
import { CliError, EXIT } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';
import { markReadLines } from '../next-step.ts';
import { hasSections, REQUIREMENTS, sectionMarkdown, summaryLines } from './document-lines.ts';
import { type Requirements, type Revision, requirementLines, revisionFacts } from './format-contract.ts';
import { leftOutText, markedMarkdown, type ReadMarks, unreadMarkdown } from './section-marks.ts';
import { terminalMarkdown } from './terminal-markdown.ts';

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
  if (part === 'unread' && marks) return unreadLines(text, marks, { terminal, sessionId, command, view });
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
function unreadLines(
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
  const refuse = (why: string): CliError => new CliError(EXIT.REFUSED, why);
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
