import type { Answer } from '@parley/core/client';
import { readSection } from '@parley/core/reading';
import { plural } from '@parley/core/text';
import { outlineLines } from '../../text/outline.ts';
import { indented, type Page } from '../../text/page.ts';
import { changeHead, inlineValues, isJson } from '../../text/records/contract-change.ts';
import { readSections } from '../../text/records/read-sections.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { createIdIndex, type KnownRecords } from '../../transcript/id-index.ts';
import { block, listBlock } from './blocks.ts';
import { requestTexts } from './contract/contract-answer.ts';
import { ordered } from './contract/format-contract.ts';
import { markReadLines, type ReadingPlace } from './next-step.ts';

type Changes = Answer<'changes'>;
type Section = Changes['sections'][number];
type Change = Section['records'][number]['changes'][number];
type Cause = Changes['revisions'][number]['causes'][number];

const SIGNS = { ADDED: '+', REMOVED: '-', CHANGED: '~' } as const;

interface ChangesPlace extends ReadingPlace {
  /** Whether the person named the revision to compare with. Then changes that the owner has read are printed too. */
  readonly isSinceGiven: boolean;
  /** The view of the session, which contains the texts of the findings and the topics of the decisions. */
  readonly view?: KnownRecords | undefined;
}

/**
 * Formats the changes of a contract since the owner last read the contract, by section. If the owner has read all
 * changes, says so and names the command that prints the changes again.
 */
export function formatChanges(changes: Changes, page: Page, place: ChangesPlace): string[] {
  const { revision_id: id, since, count } = changes;
  if (id === null) return ['There is no revision yet.'];
  const sections = readTogether(changes.sections);
  const isRead = sections.every(isReadSection);
  if (isRead && !place.isSinceGiven) return [...readLines(id, since, place, page), ...requestLines(changes, page)];
  const head =
    since === null ? `${id}: you have read no revision yet, so everything is new` : `${id} compared with ${since}`;
  const nameOf = nameOnce(place.view);
  return [
    page.paint('bold', `${head} (${plural(count, 'change')})`),
    ...changes.revisions.flatMap((revision) => revisionLines(revision, nameOf, page)),
    ...requestLines(changes, page),
    ...sections.flatMap((section) => sectionLines(section, page)),
    ...(isRead ? [] : markReadLines(id, place, page)),
  ];
}

/** The changed sections as the owner reads them: members of the contract that are read together are one section. */
const readTogether = (changed: readonly Section[]): Section[] =>
  readSections(changed.map(({ section }) => section)).map((section) => {
    const members = changed.filter((one) => readSection(one.section) === section);
    return {
      section,
      read_at: members.some(({ read_at }) => read_at === null) ? null : (members[0]?.read_at ?? null),
      count: members.reduce((sum, one) => sum + one.count, 0),
      records: members.flatMap(({ records }) => records),
    };
  });

const isReadSection = ({ read_at }: Section): boolean => read_at !== null;

/** The line that says that nothing changed since the owner read the revision, and the command that prints the changes again. */
function readLines(id: string, since: string | null, { program, sessionId }: ReadingPlace, { paint }: Page): string[] {
  const again = since === null ? `plan ${sessionId}` : `changes ${sessionId} --since ${since}`;
  return [
    paint('bold', `Nothing changed since ${id}, which you have read.`),
    paint('dim', `To read ${since === null ? id : `the changes since ${since}`} again: ${program} ${again}`),
  ];
}

/** The owner's requests for changes, and what followed each of them. */
const requestLines = ({ requests }: Changes, page: Page): string[] =>
  listBlock('your requests for changes', requests.flatMap(requestTexts), page);

function revisionLines(
  { revision_id, reason, causes }: Changes['revisions'][number],
  nameOf: NameOf,
  { columns, paint }: Page,
): string[] {
  const about = causesText(causes, nameOf);
  const text = `${revision_id}  ${reason}${about && ` (because of ${about})`}`;
  return wrapText(visibleLine(text), columns).map((line) => paint('dim', line));
}

function sectionLines(section: Section, page: Page): string[] {
  const read = isReadSection(section) ? 'read' : 'not read';
  const lines = section.records.flatMap(({ changes }) => changes.flatMap((change) => changeLines(change, page)));
  return block(`${section.section} (${plural(section.count, 'change')}, ${read})`, lines, page);
}

function changeLines({ before, after, ...facts }: Change, page: Page): string[] {
  const { kind, revisions, words = '' } = facts;
  // An empty text before or after a change is shown as no text.
  const change = { ...facts, before: before || null, after: after || null };
  const changed = revisions.length === 0 ? '' : `  [${revisions.join(', ')}]`;
  const [head, inline] = [changeHead(change), inlineValues(change) ?? wholeText(change)];
  return [
    ...wrapped(visibleLine(`${SIGNS[kind] ?? kind} ${inline ? `${head}: ${inline}` : head}${changed}`), page, '  '),
    ...textLines(words, page),
    ...(inline === undefined ? valueLines(change, page) : []),
  ];
}

/** An added or removed text on one line, of any length. Undefined for the text of a decision and for any other change. */
function wholeText({ kind, title, before, after }: Change): string | undefined {
  const text = after ?? before;
  if (kind === 'CHANGED' || title !== undefined || !text || isJson(text)) return undefined;
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * The values of a change below its line: all members of an added record, because the record is now part of the contract,
 * and otherwise the values before and after the change. The title in the line is enough for a removed record.
 */
function valueLines({ kind, title, before, after }: Change, page: Page): string[] {
  if (kind === 'CHANGED' || !isJson(after ?? before))
    return [...signed('-', before, page), ...signed('+', after, page)];
  const record = kind === 'REMOVED' && title !== undefined ? undefined : jsonIn(after ?? before ?? '');
  return record === undefined ? [] : outlineLines(ordered(record), indented(page, 6)).map((line) => `      ${line}`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const signed = (sign: string, text: string | null, page: Page): string[] =>
  text ? textLines(`${sign} ${text}`, page) : [];

const textLines = (text: string, page: Page): string[] =>
  (text === '' ? [] : visible(text).split('\n')).flatMap((line) => wrapped(line, page, '      '));

const wrapped = (text: string, { columns }: Page, margin: string): string[] =>
  wrapText(text, columns - margin.length).map((line) => margin + line);

/** Returns the id of a cause and, the first time, the topic of the decision or the first words of the record's text. */
type NameOf = (cause: Cause) => string;

function nameOnce(view: KnownRecords | undefined): NameOf {
  const index = createIdIndex(view);
  const named = new Set<string>();
  return ({ id, type }) => {
    if (named.has(id)) return id;
    named.add(id);
    return type === 'decision' ? index.decision(id) : index.named(id);
  };
}

const causesText = (causes: readonly Cause[], nameOf: NameOf): string =>
  causes.map((cause) => (cause.type === 'change_request' ? `your request #${cause.id}` : nameOf(cause))).join(', ');
