import { outlineLines } from '../../text/outline.ts';
import { indented, type Page } from '../../text/page.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import { ordered } from './contract/ordered-members.ts';

const SIGNS: Readonly<Record<string, string>> = { ADDED: '+', REMOVED: '-', CHANGED: '~' };

/** Formats the changes of a contract since the owner last read it, by section. */
export function formatChanges(changes: Members, page: Page): string[] {
  const id = textIn(changes, 'revision_id');
  if (id === '') return ['There is no revision yet.'];
  const since = textIn(changes, 'since');
  const head =
    since === '' ? `${id}: you have read no revision yet, so everything is new` : `${id} compared with ${since}`;
  const count = numberIn(changes, 'count');
  return [
    page.paint('bold', `${head} (${count === 1 ? '1 change' : `${count} changes`})`),
    ...recordsIn(changes, 'revisions').flatMap((revision) => revisionLines(revision, page)),
    ...recordsIn(changes, 'sections').flatMap((section) => sectionLines(section, page)),
  ];
}

function revisionLines(revision: Members, { columns, paint }: Page): string[] {
  const about = idsIn(revision, 'answers', 'submitted after your request');
  const text = `${textIn(revision, 'revision_id')}  ${textIn(revision, 'reason')}${about && ` (${about})`}`;
  return wrapText(visibleLine(text), columns).map((line) => paint('dim', line));
}

function sectionLines(section: Members, page: Page): string[] {
  const read = textIn(section, 'read_at') === '' ? 'not read' : 'read';
  const count = numberIn(section, 'count');
  const title = `${textIn(section, 'section')} (${count === 1 ? '1 change' : `${count} changes`}, ${read})`;
  return [
    '',
    page.paint(['bold', 'cyan'], visibleLine(title)),
    ...recordsIn(section, 'records').flatMap((record) =>
      recordsIn(record, 'changes').flatMap((change) => changeLines(change, page)),
    ),
  ];
}

function changeLines(change: Members, page: Page): string[] {
  const causes = [textsIn(change, 'revisions').join(', '), idsIn(change, 'causes', 'names your request')].filter(
    (text) => text !== '',
  );
  const cause = causes.length === 0 ? '' : `  [${causes.join(': ')}]`;
  const line = `${SIGNS[textIn(change, 'kind')] ?? ''} ${wholeMeaning(change)}${cause}`;
  const words = textIn(change, 'words');
  const isReplaced =
    textIn(change, 'meaning').endsWith(': replaced') || textIn(change, 'path').startsWith('/decisions/');
  return [
    ...wrapped(visibleLine(line), page, '  '),
    ...(words === '' ? [] : visible(words).split('\n')).flatMap((text) => wrapped(text, page, '      ')),
    ...(words === '' && isReplaced ? replacedLines(change, page) : []),
    ...(words === '' && !isReplaced ? recordLines(change, page) : []),
  ];
}

/**
 * The description of a change. If it ends with the beginning of the text that was added or removed, the whole text is
 * printed.
 */
function wholeMeaning(change: Members): string {
  const meaning = textIn(change, 'meaning');
  const [, place, start] = /^(.*?): (.*)…$/s.exec(meaning) ?? [];
  const text = (textIn(change, 'after') || textIn(change, 'before')).replaceAll(/\s+/g, ' ').trim();
  return place !== undefined && start !== undefined && text.startsWith(start) ? `${place}: ${text}` : meaning;
}

/** All members of an added record, because the record is now part of the contract. Empty for any other change. */
function recordLines(change: Members, page: Page): string[] {
  const record = textIn(change, 'kind') === 'ADDED' ? jsonIn(textIn(change, 'after')) : undefined;
  if (record === undefined) return [];
  return outlineLines(ordered(record), indented(page, 6)).map((line) => `      ${line}`);
}

function jsonIn(text: string): unknown {
  try {
    return /^[[{]/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

const replacedLines = (change: Members, page: Page): string[] =>
  [
    ['-', textIn(change, 'before')],
    ['+', textIn(change, 'after')],
  ].flatMap(([sign, text = '']) =>
    (text === '' ? [] : visible(`${sign} ${text}`).split('\n')).flatMap((line) => wrapped(line, page, '      ')),
  );

const wrapped = (text: string, { columns }: Page, margin: string): string[] =>
  wrapText(text, columns - margin.length).map((line) => margin + line);

/**
 * The ids of the records that caused a revision or a change.
 *
 * @param request the words before the id of a request for changes, which is the number of the owner's message
 */
const idsIn = (record: Members, member: string, request: string): string =>
  recordsIn(record, member)
    .toSorted((one, other) => Number(isRequest(one)) - Number(isRequest(other)))
    .map((cause) => (isRequest(cause) ? `${request} ${textIn(cause, 'id')}` : textIn(cause, 'id')))
    .join(', ');

const isRequest = (cause: Members): boolean => textIn(cause, 'type') === 'change_request';
