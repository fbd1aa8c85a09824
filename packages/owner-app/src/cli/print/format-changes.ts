import { readSection } from '@parley/core/reading';
import { plural } from '../../text/counted.ts';
import { outlineLines } from '../../text/outline.ts';
import { indented, type Page } from '../../text/page.ts';
import { type ContractChange, changeHead, inlineValues, isJson } from '../../text/records/contract-change.ts';
import { readSections } from '../../text/records/read-sections.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { createIdIndex, type KnownRecords } from '../../transcript/id-index.ts';
import { type Members, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import { markReadLines, type ReadingPlace } from './contract/mark-read.ts';
import { ordered } from './contract/ordered-members.ts';
import { requestTexts, unnamedRequests } from './contract/requests.ts';

const SIGNS: Readonly<Record<string, string>> = { ADDED: '+', REMOVED: '-', CHANGED: '~' };

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
export function formatChanges(changes: Members, page: Page, place: ChangesPlace): string[] {
  const id = textIn(changes, 'revision_id');
  if (id === '') return ['There is no revision yet.'];
  const since = textIn(changes, 'since');
  const sections = readTogether(recordsIn(changes, 'sections'));
  const isRead = sections.every(isReadSection);
  if (isRead && !place.isSinceGiven) return [...readLines(id, since, place, page), ...requestLines(changes, page)];
  const head =
    since === '' ? `${id}: you have read no revision yet, so everything is new` : `${id} compared with ${since}`;
  const count = numberIn(changes, 'count');
  const nameOf = nameOnce(place.view);
  return [
    page.paint('bold', `${head} (${plural(count, 'change')})`),
    ...recordsIn(changes, 'revisions').flatMap((revision) => revisionLines(revision, nameOf, page)),
    ...requestLines(changes, page),
    ...sections.flatMap((section) => sectionLines(section, nameOf, page)),
    ...(isRead ? [] : markReadLines(id, place, page)),
  ];
}

/** The changed sections as the owner reads them: members of the contract that are read together are one section. */
const readTogether = (changed: readonly Members[]): Members[] =>
  readSections(changed.map((one) => textIn(one, 'section'))).map((section) => {
    const members = changed.filter((one) => readSection(textIn(one, 'section')) === section);
    return {
      section,
      read_at: members.map((one) => textIn(one, 'read_at')).toSorted()[0],
      count: members.reduce((sum, one) => sum + numberIn(one, 'count'), 0),
      records: members.flatMap((one) => recordsIn(one, 'records')),
    };
  });

const isReadSection = (section: Members): boolean => textIn(section, 'read_at') !== '';

/** The line that says that nothing changed since the owner read the revision, and the command that prints the changes again. */
function readLines(id: string, since: string, { program, sessionId }: ReadingPlace, { paint }: Page): string[] {
  const again = since === '' ? `plan ${sessionId}` : `changes ${sessionId} --since ${since}`;
  return [
    paint('bold', `Nothing changed since ${id}, which you have read.`),
    paint('dim', `To read ${since === '' ? id : `the changes since ${since}`} again: ${program} ${again}`),
  ];
}

/** The requests for changes that no reason of a revision names. */
function requestLines(changes: Members, page: Page): string[] {
  const texts = unnamedRequests(changes).flatMap(requestTexts);
  if (texts.length === 0) return [];
  return [
    '',
    page.paint(['bold', 'cyan'], 'your requests that no reason of a revision names'),
    ...texts.flatMap((text) => wrapped(visibleLine(text), page, '  ')),
  ];
}

function revisionLines(revision: Members, nameOf: NameOf, { columns, paint }: Page): string[] {
  const about = causesIn(revision, 'answers', { nameOf, request: 'submitted after your request' });
  const text = `${textIn(revision, 'revision_id')}  ${textIn(revision, 'reason')}${about && ` (${about})`}`;
  return wrapText(visibleLine(text), columns).map((line) => paint('dim', line));
}

function sectionLines(section: Members, nameOf: NameOf, page: Page): string[] {
  const read = isReadSection(section) ? 'read' : 'not read';
  const count = numberIn(section, 'count');
  const title = `${textIn(section, 'section')} (${plural(count, 'change')}, ${read})`;
  return [
    '',
    page.paint(['bold', 'cyan'], visibleLine(title)),
    ...recordsIn(section, 'records').flatMap((record) =>
      recordsIn(record, 'changes').flatMap((change) => changeLines(change, nameOf, page)),
    ),
  ];
}

function changeLines(change: Members, nameOf: NameOf, page: Page): string[] {
  const why = causesIn(change, 'causes', { nameOf, request: 'names your request' });
  const causes = [textsIn(change, 'revisions').join(', '), why].filter((text) => text !== '');
  const cause = causes.length === 0 ? '' : `  [${causes.join(': ')}]`;
  const described = readChange(change);
  const [head, inline] = [changeHead(described), inlineValues(described) ?? wholeText(described)];
  const line = `${SIGNS[described.kind] ?? ''} ${inline ? `${head}: ${inline}` : head}${cause}`;
  return [
    ...wrapped(visibleLine(line), page, '  '),
    ...textLines(textIn(change, 'words'), page),
    ...(inline === undefined ? valueLines(described, page) : []),
  ];
}

function readChange(change: Members): ContractChange {
  const text = (member: string): string | undefined => textIn(change, member) || undefined;
  return {
    kind: textIn(change, 'kind'),
    path: textIn(change, 'path'),
    place: textIn(change, 'place'),
    title: text('title'),
    replaces: text('replaces'),
    replaced_by: text('replaced_by'),
    before: text('before'),
    after: text('after'),
  };
}

/** An added or removed text on one line, of any length. Undefined for the text of a decision and for any other change. */
function wholeText({ kind, title, before, after }: ContractChange): string | undefined {
  const text = after ?? before;
  if (kind === 'CHANGED' || title !== undefined || !text || isJson(text)) return undefined;
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * The values of a change below its line: all members of an added record, because the record is now part of the contract,
 * and otherwise the values before and after the change. The title in the line is enough for a removed record.
 */
function valueLines({ kind, title, before, after }: ContractChange, page: Page): string[] {
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

const signed = (sign: string, text: string | null | undefined, page: Page): string[] =>
  text ? textLines(`${sign} ${text}`, page) : [];

const textLines = (text: string, page: Page): string[] =>
  (text === '' ? [] : visible(text).split('\n')).flatMap((line) => wrapped(line, page, '      '));

const wrapped = (text: string, { columns }: Page, margin: string): string[] =>
  wrapText(text, columns - margin.length).map((line) => margin + line);

/** Returns the id of a cause and, the first time, the topic of the decision or the first words of the record's text. */
type NameOf = (cause: Members) => string;

function nameOnce(view: KnownRecords | undefined): NameOf {
  const index = createIdIndex(view);
  const named = new Set<string>();
  return (cause) => {
    const id = textIn(cause, 'id');
    if (named.has(id)) return id;
    named.add(id);
    return textIn(cause, 'type') === 'decision' ? index.decision(id) : index.named(id);
  };
}

interface Causes {
  readonly nameOf: NameOf;
  /** The words before the id of a request for changes, which is the number of the owner's message. */
  readonly request: string;
}

/** The records that caused a revision or a change. */
const causesIn = (record: Members, member: string, { nameOf, request }: Causes): string =>
  recordsIn(record, member)
    .toSorted((one, other) => Number(isRequest(one)) - Number(isRequest(other)))
    .map((cause) => (isRequest(cause) ? `${request} ${textIn(cause, 'id')}` : nameOf(cause)))
    .join(', ');

const isRequest = (cause: Members): boolean => textIn(cause, 'type') === 'change_request';
